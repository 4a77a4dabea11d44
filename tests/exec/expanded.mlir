// Operations that are said in terms of others.
// RUN: tess eval %s --quiet

func.func @main() {
  // The example of the specification.
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %ones = stablehlo.constant dense<1.0> : tensor<2xf64>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %ones, %ones) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %y, dense<[[0.0, 0.0], [2.0, 2.0]]> : tensor<2x2xf64>
  check.expect_almost_eq_const %mean, dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_almost_eq_const %variance, dense<1.0> : tensor<2xf64>
  %z = "stablehlo.batch_norm_inference"(%x, %ones, %ones, %mean, %variance) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_almost_eq_const %z, dense<[[0.0, 0.0], [2.0, 2.0]]> : tensor<2x2xf64>
  %grad = stablehlo.constant dense<0.1> : tensor<2x2xf64>
  %gx, %gscale, %goffset = "stablehlo.batch_norm_grad"(%x, %ones, %mean, %ones, %grad) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %gx, dense<0.0> : tensor<2x2xf64>
  check.expect_almost_eq_const %gscale, dense<0.0> : tensor<2xf64>
  check.expect_almost_eq_const %goffset, dense<0.2> : tensor<2xf64>

  %m = "stablehlo.einsum"(%x, %x) {einsum_config = "ij,kj->ki"} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_almost_eq_const %m, dense<[[5.0, 11.0], [11.0, 25.0]]> : tensor<2x2xf64>
  %s = "stablehlo.unary_einsum"(%x) {einsum_config = "ij->j"} : (tensor<2x2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %s, dense<[4.0, 6.0]> : tensor<2xf64>
  %at = stablehlo.constant dense<[[1, 0, 1]]> : tensor<1x3xi32>
  %picked = "stablehlo.torch_index_select"(%x, %at) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x2xf64>, tensor<1x3xi32>) -> tensor<2x1x3xf64>
  check.expect_almost_eq_const %picked, dense<[[[2.0, 1.0, 2.0]], [[4.0, 3.0, 4.0]]]> : tensor<2x1x3xf64>

  // A body that uses a value from outside, on each element.
  %k = stablehlo.constant dense<10> : tensor<i32>
  %v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %mapped = "stablehlo.map"(%v) ({
  ^bb0(%e: tensor<i32>):
    %c = stablehlo.multiply %e, %k : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %mapped, dense<[10, 20, 30]> : tensor<3xi32>

  // Padding of a window is the initial value: 5 + 5 + 1, 5 + 1 + 2, 5 + 2 + 3.
  %five = stablehlo.constant dense<5> : tensor<i32>
  %w = "stablehlo.reduce_window"(%v, %five) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %w, dense<[11, 8, 10]> : tensor<3xi32>

  // Of windows at 2 and at -1, the elements inside are updated.
  %starts = stablehlo.constant dense<[[2], [-1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[[100, 200], [300, 400]]> : tensor<2x2xi32>
  %scattered = "stablehlo.scatter"(%v, %starts, %updates) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<3xi32>
  check.expect_eq_const %scattered, dense<[401, 2, 103]> : tensor<3xi32>

  // The sign of an arithmetic shift is the upper bit, of unsigned numbers too.
  %u = stablehlo.constant dense<[200, 64]> : tensor<2xui8>
  %one = stablehlo.constant dense<[1, 9]> : tensor<2xui8>
  %shifted = stablehlo.shift_right_arithmetic %u, %one : tensor<2xui8>
  check.expect_eq_const %shifted, dense<[228, 0]> : tensor<2xui8>
  return
}
