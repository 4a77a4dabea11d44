// REQUIRES: hlo
// RUN: (! tess run %s 2>&1) | FileCheck %s
// Devices cut in four times three and in three times four are on no common mesh.

func.func @main() -> tensor<9xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<12xf32>
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4,3]<=[12] last_tile_dim_replicate}"} : (tensor<12xf32>) -> tensor<12xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<12xf32>) -> tensor<3xf32>
  %2 = call @shmap_body(%1) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: gspmd_meshes.mlir:[[#@LINE+1]]:{{.*}}the shardings of this manual region need several meshes
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[3,4]<=[12] last_tile_dim_replicate}"} : (tensor<3xf32>) -> tensor<9xf32>
  return %3 : tensor<9xf32>
}
func.func private @shmap_body(%arg0: tensor<3xf32>) -> tensor<3xf32> {
  return %arg0 : tensor<3xf32>
}
