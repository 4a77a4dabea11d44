// The loss is returned as partial sums.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> (tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  return %x : tensor<512x1024xf32>
// CHECK: returned_partial.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L27]:
}
