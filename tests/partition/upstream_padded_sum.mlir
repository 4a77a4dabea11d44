// Three elements on two devices: the sum of exp(x) has no exp(padding) in it.
// RUN: tess opt %s -sdy-pad-for-divisibility -sdy-convert-global-to-local >%t.local
// RUN: tess verify %s --partitioned %t.local | FileCheck %s
// RUN: tess opt %s -sdy-convert-global-to-local >%t.direct
// RUN: tess verify %s --partitioned %t.direct | FileCheck %s
// RUN: tess verify %s | FileCheck %s
// CHECK: 1 comparison agrees on 2 devices
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<3xf32>) -> tensor<f32> {
  %0 = sdy.all_slice [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<3xf32>
  %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, []> : tensor<f32>
  return %3 : tensor<f32>
}
