// A sharded value becomes unreduced where it is: each device has its block among zeros.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 5 comparisons agree on 4 devices
// RUN: tess partition %s | FileCheck %s

// CHECK-NOT: all_
// CHECK: %[[ZEROS:.*]] = stablehlo.broadcast_in_dim {{.*}} -> tensor<8x4xf32>
// CHECK: %[[AT:.*]] = stablehlo.multiply
// CHECK: stablehlo.dynamic_update_slice %[[ZEROS]], %arg0, %[[AT]], %{{.*}} : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
// CHECK-NOT: all_
// CHECK: stablehlo.slice {{.*}} [0:7, 0:4] : (tensor<8x4xf32>) -> tensor<7x4xf32>
// CHECK-NOT: all_
// CHECK: stablehlo.constant dense<0xFF800000>
// CHECK-NOT: all_
// CHECK: return

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>},
    %c: tensor<7x4xf32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>},
        tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced={"x"}>},
        tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>},
        tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"x"}>}) {
  %0 = stablehlo.negate %c : tensor<7x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<7x4xf32>
  return %a, %b, %b, %1, %a : tensor<8x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<7x4xf32>, tensor<8x4xf32>
}
