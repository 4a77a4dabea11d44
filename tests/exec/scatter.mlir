// RUN: tess eval %s --quiet
// Updates in order, windows outside are dropped, bodies of one operation and of several.

func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<[[1], [1], [9], [-1]]> : tensor<4x1xi64>
  %u = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %sum = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi64>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %sum, dense<[1, 32, 3, 4]> : tensor<4xi32>

  %last = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi64>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %last, dense<[1, 20, 3, 4]> : tensor<4xi32>

  // 2 a + b, over windows of two
  %j = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %w = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %both = "stablehlo.scatter"(%x, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %a : tensor<i32>
    %1 = stablehlo.add %0, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi64>, tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %both, dense<[7, 10, 13, 16]> : tensor<4xi32>
  return
}
