// A constraint that leaves everything open says nothing.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x1024xf32> {
  %0 = stablehlo.tanh %x : tensor<512x1024xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}]> : tensor<512x1024xf32>
// CHECK: dead_constraint.mlir:[[#@LINE-1]]:{{[0-9]+}}: note[L28]:
  %2 = stablehlo.negate %1 : tensor<512x1024xf32>
  return %2 : tensor<512x1024xf32>
}
