// The rows of %c are made of 2 x 32 twice, of different dimensions: none of these can be smaller by itself.
//
// RUN: tess verify %s --shrink --mesh x=2 | FileCheck %s
// CHECK: agree on 2 devices

func.func @main(%a: tensor<8x2x32xf32>, %b: tensor<8x2x32xf32>, %c: tensor<64x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0 = stablehlo.reshape %a : (tensor<8x2x32xf32>) -> tensor<8x64xf32>
  %1 = stablehlo.reshape %b : (tensor<8x2x32xf32>) -> tensor<8x64xf32>
  %2 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %3 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %2, %3 : tensor<8x64xf32>, tensor<8x64xf32>
}
