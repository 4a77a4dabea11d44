// Two attention heads over four devices: two of them hold padding only.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<1024x2x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<1024x2x128xf32> {
// CHECK: empty_shards.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L24]:
  %0 = stablehlo.tanh %x : tensor<1024x2x128xf32>
  return %0 : tensor<1024x2x128xf32>
}
