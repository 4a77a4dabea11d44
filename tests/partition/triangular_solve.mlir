// The columns of the right side (rows, if the matrix stands to its right) are systems of their own, which
// Shardy's rule keeps whole: they stay where they are.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 8 devices

// CHECK: stablehlo.triangular_solve{{.*}} : (tensor<4x6x6xf32>, tensor<4x6x1xf32>) -> tensor<4x6x1xf32>
// CHECK: stablehlo.triangular_solve{{.*}} : (tensor<4x6x6xf32>, tensor<4x1x6xf32>) -> tensor<4x1x6xf32>

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(
    %a: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
    %b: tensor<8x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %c: tensor<8x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<8x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
        tensor<8x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
  %1 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<8x6x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
  return %0, %1 : tensor<8x6x4xf32>, tensor<8x4x6xf32>
}
