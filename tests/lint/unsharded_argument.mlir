// A table nobody gave a sharding: one of the names in in_shardings was misspelt.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %table: tensor<1024x4096xf32>) -> (tensor<512x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
// CHECK: unsharded_argument.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L1]:
  %0 = stablehlo.dot %x, %table : (tensor<512x1024xf32>, tensor<1024x4096xf32>) -> tensor<512x4096xf32>
  return %0 : tensor<512x4096xf32>
}
