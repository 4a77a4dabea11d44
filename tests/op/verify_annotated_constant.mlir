// RUN: (tess partition %s; echo status $?) 2>&1 | FileCheck %s
// A constant is one behind an annotation, too: partitioning takes that away.
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<6xf32>, %p: tensor<f32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<1xi64>
  %high = sdy.sharding_constraint %c <@mesh, [{}]> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %p, %c, %high, %c : (tensor<6xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK: verify_annotated_constant.mlir:7:8: error[E0304]: 'stablehlo.dynamic_pad' op pads dimension 0 to another size than 8
// CHECK: status 1
