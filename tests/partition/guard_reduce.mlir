// XLA drops the initial value of a reduction of one element, as if it changed nothing.  Each device has
// one element here: the value is combined with it by an operation of its own.
// RUN: tess partition %s | FileCheck %s
// CHECK: %[[INITIAL:.*]] = stablehlo.select
// CHECK: %[[ONE:.*]] = stablehlo.maximum %[[INITIAL]], %{{.*}} : tensor<f32>
// CHECK: "stablehlo.all_reduce"(%[[ONE]])
// RUN: tess partition %s | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: stablehlo.reduce(%arg1 init: %{{.*}}) applies stablehlo.maximum
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 2 devices

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<f32>, tensor<f32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %two) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%b init: %two) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
