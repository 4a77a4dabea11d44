// Two tensors joined along the dimension that is sharded.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1024x1024xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
// CHECK: concatenate.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L17]:
  return %0 : tensor<1024x1024xf32>
}
