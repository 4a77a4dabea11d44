// REQUIRES: hlo
// RUN: tess shard %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=SAME
// A program with meshes calls one that was exported for GSPMD: its marks are constraints on the
// caller's mesh, on one of their own where no axis of it says them, and its manual region is one.
// The second mark leaves its first dimension open.
// What stands as text on anything but a call is not read: the program has sdy's words for it.

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK: sdy.mesh @[[OTHER:[a-z_0-9]+]] = <[{{.*}}], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// CHECK: func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"y"}, {"x"}]>
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"y"}, {"x"}]>
// CHECK: sdy.sharding_constraint %{{.*}} <@[[OTHER]], [{"_axis_0"}, {}]>
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%{{.*}}: tensor<2x8xf32>) {
// CHECK-NEXT: stablehlo.tanh
// SAME: 1 comparison agrees on 8 devices
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  %0 = call @exported(%a) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
func.func private @exported(%a: tensor<16x8xf32> {mhlo.sharding = "{devices=[1,8]<=[8]}"}) -> tensor<16x8xf32> {
  %0 = stablehlo.sine %a : tensor<16x8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = stablehlo.cosine %1 : tensor<16x8xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = stablehlo.sine %3 : tensor<16x8xf32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %6 = stablehlo.cosine %5 : tensor<16x8xf32>
  %7 = stablehlo.custom_call @Sharding(%6) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %8 = stablehlo.custom_call @SPMDFullToShardShape(%7) {mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %9 = stablehlo.tanh %8 : tensor<2x8xf32>
  %10 = stablehlo.custom_call @Sharding(%9) {mhlo.sharding = "{manual}"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %11 = stablehlo.custom_call @SPMDShardToFullShape(%10) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<2x8xf32>) -> tensor<16x8xf32>
  return %11 : tensor<16x8xf32>
}
