// A row of 8 elements over 4 devices: 8 bytes at a time.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<65536x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<65536x8xf32> {
// CHECK: tiny_shards.mlir:[[#@LINE-1]]:{{[0-9]+}}: note[L25]:
  %0 = stablehlo.tanh %x : tensor<65536x8xf32>
  return %0 : tensor<65536x8xf32>
}
