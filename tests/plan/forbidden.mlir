// All tactics sum over devices what each has of the result. If that is forbidden, the plan has every device compute all
// of it.
//
// RUN: tess plan %s --devices 2 --forbid all_reduce | FileCheck %s
// CHECK: communication 0 ns
// CHECK: without annotations

func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
