// REQUIRES: hlo
// RUN: tess shard %s | FileCheck %s
// RUN: tess verify %s
// RUN: tess opt %s | FileCheck %s --check-prefix=OPT
// Shardings as GSPMD has them, texts on a program without meshes, are what the program is partitioned by;
// `tess opt` leaves them alone, as sdy_opt does.

// CHECK:      sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=4]>
// CHECK-NEXT: func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {"_axis_1"}]>}
// CHECK-SAME: %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_1"}, {}]>}
// CHECK-SAME: -> (tensor<8x32xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"_axis_0", "_axis_1"}]>})
// CHECK-NOT:  mhlo.sharding
// CHECK:      sdy.sharding_constraint %0 <@mesh, [{"_axis_0"}, {}]>
// OPT:        mhlo.sharding = "{devices=[2,4]<=[8]}"
// OPT:        stablehlo.custom_call @Sharding
func.func @main(%arg0: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<16x32xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}) -> (tensor<8x32xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[1,8]<=[8]}"}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = stablehlo.exponential %1 : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}
