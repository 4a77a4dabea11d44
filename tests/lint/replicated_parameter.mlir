// A large parameter, replicated in so many words.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %w: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<512x4096xf32> {
// CHECK: replicated_parameter.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L2]:
  %0 = stablehlo.dot %x, %w : (tensor<512x1024xf32>, tensor<1024x4096xf32>) -> tensor<512x4096xf32>
  return %0 : tensor<512x4096xf32>
}
