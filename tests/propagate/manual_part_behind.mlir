// RUN: tess opt %s -sdy-add-data-flow-edges -sdy-basic-propagate | FileCheck %s
// Without manual-axes-cleanup, a part of a manual axis reaches the body behind a free axis. As in
// Shardy, neither is seen inside.

// CHECK: data_flow_edge %arg1 sharding=<@mesh, [{?}]>
sdy.mesh @mesh = <["x"=8, "y"=4]>
func.func @main(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)4, ?}]>}) -> tensor<64xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}]>] out_shardings=[<@mesh, [{?}]>] manual_axes={"x"} (%arg1: tensor<64xf32>) {
    %1 = stablehlo.abs %arg1 : tensor<64xf32>
    sdy.return %1 : tensor<64xf32>
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
