// x[:-1] of 16 rows over 4 devices is 15 rows, in all that is computed of it: one finding, where it begins.
// RUN: tess lint %s | FileCheck %s --implicit-check-not=L4
// CHECK: padding_once.mlir:12:{{.*}} note[L4]: dimension 0 of %4 f32[13,8] has 13 elements over 4 shards, 3 are padding
// CHECK: padding_once.mlir:8:{{.*}} note[L4]: dimension 0 of %0 f32[15,8] has 15 elements over 4 shards, 1 are padding

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32>, tensor<13x8xf32>) {
  %0 = stablehlo.slice %x [0:15, 0:8] : (tensor<16x8xf32>) -> tensor<15x8xf32>
  %1 = stablehlo.tanh %0 : tensor<15x8xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<15x8xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<15x8xf32>) -> tensor<8x15xf32>
  %4 = stablehlo.slice %2 [0:13, 0:8] : (tensor<15x8xf32>) -> tensor<13x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x15xf32>, tensor<f32>) -> tensor<8xf32>
  return %5, %4 : tensor<8xf32>, tensor<13x8xf32>
}
