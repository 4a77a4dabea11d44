// REQUIRES: hlo
// RUN: tess shard %s | FileCheck %s
// shard_as: what jax.experimental.shard_alike says of two values.

// CHECK: %[[A:.*]] = sdy.sharding_constraint %arg0
// CHECK: sdy.sharding_group %[[A]] group_id=0 : tensor<16x8xf32>
// CHECK: %[[B:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{"_axis_0"}, {}]>
// CHECK: sdy.sharding_group %[[B]] group_id=0 : tensor<16x8xf32>
func.func @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %arg1: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{unknown shard_as 0}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{unknown shard_as 0}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<16x8xf32>
}
