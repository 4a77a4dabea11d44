// The axis of the data shards a norm's scale, but not the batch.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %s: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4096x4096xf32>, tensor<4096xf32>) {
  %0 = stablehlo.dot %x, %w : (tensor<4096x1024xf32>, tensor<1024x4096xf32>) -> tensor<4096x4096xf32>
// CHECK: batch_not_sharded.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L14]:
  %1 = stablehlo.negate %s : tensor<4096xf32>
  return %0, %1 : tensor<4096x4096xf32>, tensor<4096xf32>
}
