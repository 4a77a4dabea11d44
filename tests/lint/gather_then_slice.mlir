// Rows are gathered to all devices, and one of them is looked at.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x1024xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<512x1024xf32>
// CHECK: gather_then_slice.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L6]:
  %1 = stablehlo.slice %0 [0:1, 0:1024] : (tensor<512x1024xf32>) -> tensor<1x1024xf32>
  return %1 : tensor<1x1024xf32>
}
