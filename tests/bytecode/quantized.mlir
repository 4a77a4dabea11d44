// Quantized types have codes of the dialect quant: one scale, one for each index of an axis, one for each
// block.  jaxlib has written the bytecode of this text.
// RUN: tess opt %s > %t
// RUN: tess opt %S/Inputs/quantized.bc | diff %t -
// RUN: tess convert %s -o %t.mlirbc && tess opt %t.mlirbc | diff %t -
// RUN: tess convert %s --to artifact -o %t.bc && tess opt %t.bc | diff %t -
// RUN: FileCheck %s < %t
// CHECK: tensor<4x2x!quant.uniform<u8<1:254>:f32:1, {2.000000e+00:10,3.000000e+00:20}>>
// CHECK: {0:2, 1:1}, {{[{][{]}}2.000000e+00:1, 3.500000e+00}, {1.500000e+00, 5.000000e-01:-7}}>>
module {
  func.func @tensor(%arg0: tensor<4x2x!quant.uniform<i8:f32, 2.000000e+00:10>>) -> tensor<4x2xf32> {
    %0 = stablehlo.uniform_dequantize %arg0 : (tensor<4x2x!quant.uniform<i8:f32, 2.000000e+00:10>>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
  func.func @axis(%arg0: tensor<4x2x!quant.uniform<u8<1:254>:f32:1, {2.000000e+00:10,3.000000e+00:20}>>) -> tensor<4x2xf32> {
    %0 = stablehlo.uniform_dequantize %arg0 : (tensor<4x2x!quant.uniform<u8<1:254>:f32:1, {2.000000e+00:10,3.000000e+00:20}>>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
  func.func @blocks(%arg0: tensor<4x2x!quant.uniform<i8<-8:7>:f32:{0:2, 1:1}, {{2.000000e+00:1, 3.500000e+00}, {1.500000e+00, 5.000000e-01:-7}}>>) {
    return
  }
  func.func @same(%arg0: tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{2.000000e+00:1}, {2.000000e+00:1}}>>) {
    return
  }
}
