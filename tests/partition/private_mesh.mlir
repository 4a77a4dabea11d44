// A program whose mesh is private and declared last, as jax.export writes it, is for the devices
// of that mesh.
// RUN: tess partition %s | FileCheck %s
// RUN: tess report %s | FileCheck %s --check-prefix=REPORT
// RUN: tess verify %s

// CHECK: mhlo.num_partitions = 2
// CHECK: func.func @main(%arg0: tensor<2xf32>
// CHECK: "stablehlo.collective_permute"
// CHECK: "stablehlo.all_gather"
// REPORT: 2 devices, mesh x=2
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
    %1 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
sdy.mesh @mesh = <["x"=2]> {sym_visibility = "private"}
