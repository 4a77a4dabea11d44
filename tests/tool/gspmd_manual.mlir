// REQUIRES: hlo
// RUN: tess shard %s | FileCheck %s
// RUN: tess shard %s | tess opt - | FileCheck %s --check-prefix=AGAIN
// RUN: tess verify %s
// RUN: tess convert --to-hlo %s | tess convert - | tess verify -
// A manual computation as GSPMD had it: two custom calls for each operand and each result.  The
// mesh is what all the tiles can be told on; the bodies' values have numbers of their own.

// CHECK: sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=4]>
// CHECK: func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0", "_axis_1"}, {}]>}
// CHECK: %{{.*}}:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"_axis_0"}, {}]>, <@mesh, [{}, {"_axis_1"}]>] out_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>, <@mesh, [{}]>] manual_axes={"_axis_0", "_axis_1"} (%[[A:.*]]: tensor<8x8xf32>, %{{.*}}: tensor<8x1xf32>) {
// CHECK-NEXT: stablehlo.dot_general %[[A]]
// Partly manual; unspecified dimensions are open, so that the other axis comes in by propagation.
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>] out_shardings=[<@mesh, [{"_axis_0"}, {}]>] manual_axes={"_axis_0"}
// CHECK-NOT: SPMDFullToShardShape
// CHECK-NOT: @shmap_body
// AGAIN: sdy.manual_computation
module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %arg1: tensor<8x4xf32>) -> (tensor<16x4xf32>, tensor<4xf32>) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<8x1xf32>
    %4:2 = call @shmap_body(%1, %3) : (tensor<8x8xf32>, tensor<8x1xf32>) -> (tensor<8x1xf32>, tensor<4xf32>)
    %5 = stablehlo.custom_call @Sharding(%4#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x1xf32>) -> tensor<16x4xf32>
    %7 = stablehlo.custom_call @Sharding(%4#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %9 = stablehlo.custom_call @Sharding(%6) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %10 = stablehlo.custom_call @SPMDFullToShardShape(%9) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<16x4xf32>) -> tensor<8x4xf32>
    %11 = call @shmap_body_1(%10) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %12 = stablehlo.custom_call @Sharding(%11) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %13 = stablehlo.custom_call @SPMDShardToFullShape(%12) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<16x4xf32>
    return %13, %8 : tensor<16x4xf32>, tensor<4xf32>
  }
  func.func private @shmap_body(%arg0: tensor<8x8xf32>, %arg1: tensor<8x1xf32>) -> (tensor<8x1xf32>, tensor<4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %5 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0, %4 : tensor<8x1xf32>, tensor<4xf32>
  }
  func.func private @shmap_body_1(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<f32>) -> tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
