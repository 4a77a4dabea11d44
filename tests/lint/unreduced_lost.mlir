// Partial sums along x are negated as if they were whole values.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) -> tensor<512x1024xf32> {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<512x1024xf32>
// CHECK: unreduced_lost.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L8]:
  return %0 : tensor<512x1024xf32>
}
