// The same axes in another order: every shard goes to another device.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %b: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) -> tensor<1024x1024xf32> {
  %0 = stablehlo.add %a, %b : tensor<1024x1024xf32>
// CHECK: axis_order.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L20]:
  return %0 : tensor<1024x1024xf32>
}
