// Logits are returned whole on every device.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.tanh %x : tensor<4096x1024xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4096x1024xf32>
  %2 = stablehlo.negate %1 : tensor<4096x1024xf32>
// CHECK: result_gathered.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L22]:
  return %2 : tensor<4096x1024xf32>
}
