// A constraint on one dimension closes the other, so what sharded that is gathered.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<512x4096xf32> {
  %0 = stablehlo.tanh %x : tensor<512x4096xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<512x4096xf32>
// CHECK: closed_constraint.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L21]:
  %2 = stablehlo.exponential %1 : tensor<512x4096xf32>
  return %2 : tensor<512x4096xf32>
}
