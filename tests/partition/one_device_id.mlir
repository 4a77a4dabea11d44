// RUN: tess partition %s > %t.local.mlir
// RUN: FileCheck %s < %t.local.mlir
// What asks which device it runs on, and is placed on one, gets the number of that one everywhere;
// a call that may do more than compute is made by that device alone.

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @third = <[], device_ids=[3]>

// CHECK-LABEL: func.func @main
// CHECK: %[[IS3:.*]] = stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: %[[MINE:.*]] = stablehlo.select %[[IS3]], %{{.*}}, %{{.*}} : tensor<i1>, tensor<ui32>
// CHECK: %[[IF:.*]] = "stablehlo.if"(%{{.*}}) ({
// CHECK-NEXT: stablehlo.custom_call @effect
// CHECK: }, {
// CHECK-NOT: custom_call
// CHECK: %[[ID3:.*]] = "stablehlo.all_reduce"(%[[MINE]])
// CHECK: %[[DONE:.*]] = "stablehlo.all_reduce"(%[[IF]])
// CHECK: return %[[ID3]], %[[DONE]]
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<ui32>, tensor<4xf32>) {
  %0 = stablehlo.partition_id {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : tensor<ui32>
  %1 = sdy.reshard %0 <@third, []> : tensor<ui32>
  %2 = stablehlo.custom_call @effect(%x) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<ui32>, tensor<4xf32>
}
