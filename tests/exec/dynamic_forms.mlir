// RUN: tess eval %s --quiet
// Sizes that are values: what is computed agrees with the operation whose sizes are attributes.

func.func @main() {
  %m = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>
  %at = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %sizes = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  %shape = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  %rows = "stablehlo.dynamic_gather"(%m, %at, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  %rows4 = stablehlo.dynamic_reshape %rows, %shape : (tensor<2x?xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  check.expect_eq_const %rows4, dense<[[9.0, 10.0, 11.0, 12.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<2x4xf32>
  %size = stablehlo.get_dimension_size %rows, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  check.expect_eq_const %size, dense<4> : tensor<i32>

  // The first two columns.
  %two = stablehlo.constant dense<2> : tensor<i32>
  %less = "stablehlo.set_dimension_size"(%m, %two) <{dimension = 1 : i64}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%less init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x?xf32, #stablehlo.bounds<?, 4>>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %sums, dense<[3.0, 11.0, 19.0]> : tensor<3xf32>

  %image_i = stablehlo.iota dim = 1 : tensor<1x5x5x2xi32>
  %image = stablehlo.convert %image_i : (tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xf32>
  %kernel_i = stablehlo.iota dim = 0 : tensor<3x3x2x3xi32>
  %kernel = stablehlo.convert %kernel_i : (tensor<3x3x2x3xi32>) -> tensor<3x3x2x3xf32>
  %pads = stablehlo.constant dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>
  %open = "stablehlo.dynamic_conv"(%image, %kernel, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 2>}> : (tensor<1x5x5x2xf32>, tensor<3x3x2x3xf32>, tensor<2x2xi64>) -> tensor<1x?x?x3xf32>
  %closed = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[1, 0], [2, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x3x3xf32>
  %closed_shape = stablehlo.constant dense<[1, 4, 3, 3]> : tensor<4xi64>
  %conv = stablehlo.dynamic_reshape %open, %closed_shape : (tensor<1x?x?x3xf32>, tensor<4xi64>) -> tensor<1x4x3x3xf32>
  check.expect_eq %conv, %closed : tensor<1x4x3x3xf32>

  // A product whose rows are counted at run time.
  %product = stablehlo.dot_general %rows, %m, contracting_dims = [1] x [1] : (tensor<2x?xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %product, dense<[[110.0, 278.0, 446.0], [30.0, 70.0, 110.0]]> : tensor<2x3xf32>
  return
}
