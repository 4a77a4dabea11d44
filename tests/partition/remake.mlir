// A value that is split, though each device has all that it is made of, is computed once more rather than
// fetched: the scores of a router, whose softmax goes along what propagation has split.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 1 comparison agrees on 4 devices

// CHECK: stablehlo.dot_general %arg0, {{.*}} -> tensor<8x4xf32>
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.maximum
// CHECK: stablehlo.reduce{{.*}} applies stablehlo.add

sdy.mesh @mesh = <["x"=4]>
func.func public @main(
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %w: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.subtract %0, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x4xf32>
  %4 = stablehlo.exponential %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x4xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8xf32>) -> tensor<8x4xf32>
  %7 = stablehlo.divide %4, %6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x4xf32>
  return %7 : tensor<8x4xf32>
}
