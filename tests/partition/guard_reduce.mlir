// XLA takes the initial value of a reduction to change nothing: it drops it where one element is reduced,
// as each device does here, and counts it for each part where it reduces parts, as those that an all-to-all
// brings.  The value is combined with the rest by an operation of its own; a maximum may count it often.
// RUN: tess partition %s | FileCheck %s
// CHECK: %[[INITIAL:.*]] = stablehlo.select
// CHECK: %[[ONE:.*]] = stablehlo.maximum %[[INITIAL]], %{{.*}} : tensor<f32>
// CHECK: "stablehlo.all_reduce"(%[[ONE]])
// RUN: tess partition %s | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: stablehlo.reduce(%arg1 init: %{{.*}}) applies stablehlo.maximum
// RUN: tess partition %s | FileCheck %s --check-prefix=PARTS
// PARTS: stablehlo.reduce(%arg1
// PARTS: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
// PARTS-NEXT: %[[SUM:.*]] = stablehlo.reduce(%arg2 init: %[[ZERO]]) applies stablehlo.xor
// PARTS: stablehlo.xor %{{.*}}, %[[SUM]] : tensor<i32>
// PARTS: %[[UNIT:.*]] = stablehlo.constant dense<1> : tensor<i32>
// PARTS-NEXT: %[[PRODUCT:.*]] = stablehlo.reduce(%arg2 init: %[[UNIT]]) applies stablehlo.multiply
// PARTS-NOT: stablehlo.multiply {{.*}}%[[PRODUCT]]
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 4 comparisons agree on 2 devices

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %c: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %two) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%b init: %two) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.reduce(%c init: %three) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %unit = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.reduce(%c init: %unit) applies stablehlo.multiply across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>
}
