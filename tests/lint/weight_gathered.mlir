// The weight is sharded over an axis that the batch is not: it is gathered, and all
// devices along the axis compute the same.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<65536x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                %w: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<65536x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot %x, %w : (tensor<65536x1024xf32>, tensor<1024x512xf32>) -> tensor<65536x512xf32>
// CHECK: weight_gathered.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L11]:
  return %0 : tensor<65536x512xf32>
}
