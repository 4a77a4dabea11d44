// Merging [2, 512] loses the sharding of the minor dimension.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<2x512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<1024x1024xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x512x1024xf32>) -> tensor<1024x1024xf32>
// CHECK: reshape_loses.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L15]:
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<1024x1024xf32>
  return %1 : tensor<1024x1024xf32>
}
