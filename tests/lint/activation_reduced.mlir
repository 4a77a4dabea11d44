// Megatron without sequence parallelism: activations are completed on every device.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<4096x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8192x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4096x1024xf32> {
  %0 = stablehlo.dot %x, %w : (tensor<4096x8192xf32>, tensor<8192x1024xf32>) -> tensor<4096x1024xf32>
// CHECK: activation_reduced.mlir:[[#@LINE-1]]:{{[0-9]+}}: note[L32]:
  %1 = stablehlo.tanh %0 : tensor<4096x1024xf32>
  return %1 : tensor<4096x1024xf32>
}
