// Arithmetic by the conventions of docs/costs.md: a window of 27 inputs for each of 576 results is
// 2 * 27 * 576 operations; 13 windows of 4 elements; a Cholesky factor of n rows n^3 / 3; a solve of
// n rows n^2 for each right side.
// RUN: tess report %s | FileCheck %s
// CHECK-DAG: convolution{{ +}}1 {{.*}} 31.1 kFLOP
// CHECK-DAG: reduce_window{{ +}}1 {{.*}} 52 FLOP
// CHECK-DAG: cholesky{{ +}}1 {{.*}} 576 FLOP
// CHECK-DAG: triangular_solve{{ +}}1 {{.*}} 720 FLOP
func.func @main(%image: tensor<1x8x8x3xf32>, %kernel: tensor<3x3x3x16xf32>, %series: tensor<16xf32>, %spd: tensor<12x12xf32>, %rhs: tensor<12x5xf32>) -> (tensor<1x6x6x16xf32>, tensor<13xf32>, tensor<12x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %conv = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  %sums = "stablehlo.reduce_window"(%series, %zero) <{window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16xf32>, tensor<f32>) -> tensor<13xf32>
  %l = stablehlo.cholesky %spd, lower = true : tensor<12x12xf32>
  %x = "stablehlo.triangular_solve"(%l, %rhs) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<12x12xf32>, tensor<12x5xf32>) -> tensor<12x5xf32>
  return %conv, %sums, %x : tensor<1x6x6x16xf32>, tensor<13xf32>, tensor<12x5xf32>
}
