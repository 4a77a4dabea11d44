// A window that lies partly outside: StableHLO's specification leaves out the elements that are outside,
// XLA the whole window.  The starts are -1, 6 and 4 of 7 elements, and a window has two; in the second
// scatter a window is two rows, and the starts are those of rows and columns; in the third the starts
// are no vectors.
// RUN: tess run %s --whole-windows
// RUN: tess run %s --whole-windows --devices 1
// RUN: tess run %s --whole-windows --faithful
// RUN: ! tess run %s >%t 2>&1
// RUN: FileCheck %s --input-file %t
// CHECK: element [0] is 2, expected 0 (2 of 8 elements differ)
// CHECK: element [1, 3] is 1, expected 0 (1 of 8 elements differ)

sdy.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                      tensor<2x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xi32>) {
  %zeros = stablehlo.constant dense<0> : tensor<8xi32>
  %i = stablehlo.constant dense<[[-1], [7], [4]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<8xi32>
  check.expect_eq_const %0, dense<[0, 0, 0, 0, 5, 6, 0, 0]> : tensor<8xi32>

  %zeros2 = stablehlo.constant dense<0> : tensor<2x4xi32>
  %j = stablehlo.constant dense<[[3, 1], [1, 0]]> : tensor<2x2xui8>
  %w = stablehlo.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
  %1 = "stablehlo.scatter"(%zeros2, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x4xi32>, tensor<2x2xui8>, tensor<2x2x1xi32>) -> tensor<2x4xi32>

  %k = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %v = stablehlo.constant dense<[[7, 1], [7, 2]]> : tensor<2x2xi32>
  %zeros3 = stablehlo.constant dense<0> : tensor<4xi32>
  %2 = "stablehlo.scatter"(%zeros3, %k, %v) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<2xi64>, tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[[0, 3, 0, 0], [0, 4, 0, 0]]> : tensor<2x4xi32>
  check.expect_eq_const %2, dense<[7, 8, 2, 0]> : tensor<4xi32>
  return %0, %1, %2 : tensor<8xi32>, tensor<2x4xi32>, tensor<4xi32>
}
