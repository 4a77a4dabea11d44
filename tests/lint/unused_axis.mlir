// A mesh axis that nothing is sharded over: half of the devices do what the others do.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK: unused_axis.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L3]: axis "y"

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<512x1024xf32> {
  %0 = stablehlo.tanh %x : tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
