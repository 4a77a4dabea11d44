// Two meshes over the same devices, in another order.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["x"=4], device_ids=[3, 1, 2, 0]>
// CHECK: device_order.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L30]:

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %x : tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
