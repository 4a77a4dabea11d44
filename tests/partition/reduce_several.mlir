// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s
// Two sums in one reduce are partial sums on each device. Their initial values, which need not be
// neutral, count once.

// CHECK-COUNT-2: stablehlo.select
// CHECK: stablehlo.reduce(
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK-NOT: all_gather
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %from: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.reduce(%a init: %one), (%b init: %from) across dimensions = [0] : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = stablehlo.add %z, %w : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}
