// A window of a sharded dimension, at a place known at run time only.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> tensor<1024x1024xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %z, sizes = [1024, 1024] : (tensor<4096x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<1024x1024xf32>
// CHECK: dynamic_slice.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L16]:
  return %0 : tensor<1024x1024xf32>
}
