// One value constrained twice in a row.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x1024xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {"x"}]> : tensor<512x1024xf32>
// CHECK: constraints_disagree.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L5]:
  %1 = stablehlo.tanh %0 : tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}
