// A custom call of which nobody knows how its dimensions belong together.
// RUN: (tess lint %s; echo status $?) 2>&1 | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x1024xf32> {
  %0 = stablehlo.custom_call @mystery(%x) : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
// CHECK: full_replication.mlir:[[#@LINE-1]]:{{[0-9]+}}: error[L10]:
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}
// CHECK: status 1
