// REQUIRES: hlo
// RUN: tess shard %s | FileCheck %s
// RUN: tess verify %s
// RUN: tess run %s
// Regions of all kinds: with an operand that all devices have, with a number of the device, with a
// loop in them and in a loop; two that stand in one another's way, which are sorted; one that
// nobody uses.

// CHECK: stablehlo.while
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"_axis_0"}]>] out_shardings=[<@mesh, [{"_axis_0"}]>]
// CHECK: stablehlo.negate
// CHECK: sdy.manual_computation(%a_2, %h) in_shardings=[<@mesh, [{"_axis_0"}]>, <@mesh, [{"_axis_0"}]>]
// CHECK-NEXT: stablehlo.partition_id
// CHECK: stablehlo.add %{{.*}}#0, %{{.*}}#0
// CHECK: sdy.manual_computation(%a_4)
// CHECK: stablehlo.slice
// CHECK: stablehlo.while
// CHECK-NOT: SPMD
func.func @main() {
  %a = stablehlo.iota dim = 0 : tensor<16xf32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %w:2 = stablehlo.while(%it = %c0, %x = %a) : tensor<i32>, tensor<16xf32>
  cond {
    %t = stablehlo.compare LT, %it, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %j = stablehlo.add %it, %c1 : tensor<i32>
    %xs = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<16xf32>) -> tensor<16xf32>
    %l = stablehlo.custom_call @SPMDFullToShardShape(%xs) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<4xf32>
    %y = stablehlo.reverse %l, dims = [0] : tensor<4xf32>
    %p = stablehlo.custom_call @SPMDShardToFullShape(%y) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xf32>) -> tensor<16xf32>
    stablehlo.return %j, %p : tensor<i32>, tensor<16xf32>
  }
  // The second enters before the first leaves, and uses nothing of it.
  %as = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<16xf32>) -> tensor<16xf32>
  %l0 = stablehlo.custom_call @SPMDFullToShardShape(%as) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<4xf32>
  %i = stablehlo.partition_id : tensor<ui32>
  %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>
  %fb = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %l1 = stablehlo.custom_call @SPMDFullToShardShape(%as) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<4xf32>
  %m0 = stablehlo.add %l0, %fb : tensor<4xf32>
  %o0 = stablehlo.custom_call @SPMDShardToFullShape(%m0) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xf32>) -> tensor<16xf32>
  %g = stablehlo.add %o0, %o0 : tensor<16xf32>
  %h = stablehlo.negate %a : tensor<16xf32>
  %hs = stablehlo.custom_call @Sharding(%h) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<16xf32>) -> tensor<16xf32>
  %k = stablehlo.custom_call @SPMDFullToShardShape(%hs) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<4xf32>
  %n = stablehlo.add %k, %m0 : tensor<4xf32>
  %o1 = stablehlo.custom_call @SPMDShardToFullShape(%n) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xf32>) -> tensor<16xf32>
  // An operand that is whole everywhere, a loop, and a sum over the devices.
  %whole = stablehlo.slice %a [0:2] : (tensor<16xf32>) -> tensor<2xf32>
  %pair = stablehlo.add %whole, %whole : tensor<2xf32>
  %u:2 = stablehlo.while(%it = %c0, %x = %l1) : tensor<i32>, tensor<4xf32>
  cond {
    %t = stablehlo.compare LT, %it, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %j = stablehlo.add %it, %c1 : tensor<i32>
    %pp = stablehlo.concatenate %pair, %pair, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %y = stablehlo.add %x, %pp : tensor<4xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<4xf32>
  }
  %z0 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%u#1 init: %z0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %rs = "stablehlo.all_reduce"(%r) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  %rb = stablehlo.broadcast_in_dim %rs, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %z = stablehlo.custom_call @SPMDShardToFullShape(%rb) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<2xf32>) -> tensor<8xf32>
  %unused = stablehlo.custom_call @SPMDFullToShardShape(%as) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<4xf32>
  check.expect_eq_const %w#1, dense<[3.0, 2.0, 1.0, 0.0, 7.0, 6.0, 5.0, 4.0, 11.0, 10.0, 9.0, 8.0, 15.0, 14.0, 13.0, 12.0]> : tensor<16xf32>
  check.expect_eq_const %g, dense<[0.0, 2.0, 4.0, 6.0, 10.0, 12.0, 14.0, 16.0, 20.0, 22.0, 24.0, 26.0, 30.0, 32.0, 34.0, 36.0]> : tensor<16xf32>
  check.expect_eq_const %o1, dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0]> : tensor<16xf32>
  check.expect_eq_const %z, dense<[52.0, 52.0, 52.0, 52.0, 116.0, 116.0, 116.0, 116.0]> : tensor<8xf32>
  return
}
