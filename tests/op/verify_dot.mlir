// RUN: tess opt %s -split-input-file -verify-diagnostics
// Products, convolutions and triangular solves.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @cholesky(%0: tensor<4xf32>) {
  // expected-error@+1 {{has a matrix tensor<4xf32>, expected at least rank 2 (C2, C3)}}
  %r = "stablehlo.cholesky"(%0) <{lower = true}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @convolution_1(%0: tensor<5x2x1x2xi4>, %1: tensor<2x2x3x1x!quant.uniform<i8:f32, 2.000000e+00>>) {
  // expected-error@+1 {{has another element type than its right side expresses (C34)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[0, f, 1, b]x[o, i, 1, 0]->[1, b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 2>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<5x2x1x2xi4>, tensor<2x2x3x1x!quant.uniform<i8:f32, 2.000000e+00>>) -> tensor<0x2x4x2xi4>
  return
}

// -----

func.func @convolution_2(%0: tensor<1x5x2xi4>, %1: tensor<4x1x2xi4>) {
  // expected-error@+1 {{has a window dilation of -1 in dimension 0, expected at least 1}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[f, 0, b]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = dense<2> : tensor<1x2xi64>, rhs_dilation = array<i64: -1>, window_reversal = array<i1: true>, window_strides = array<i64: 1>}> : (tensor<1x5x2xi4>, tensor<4x1x2xi4>) -> tensor<1x4x12xi4>
  return
}

// -----

func.func @convolution_3(%0: tensor<1x4x4x2xf32>, %1: tensor<3x3x2x3xf32>) {
  // expected-error@+1 {{has a result quantized along another dimension than its features (C30)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<?x4x4x3x!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>>
  return
}

// -----

func.func @convolution_4(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{names 2 dimensions of the kernel, which has rank 3 (C18)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_5(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{has a result tensor<1x8x12xf32>, expected the shape [2, 8, 12] (C25, C26)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<1x8x12xf32>
  return
}

// -----

func.func @convolution_6(%0: tensor<f32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{convolves rank 0 with rank 3 (C1)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<f32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_7(%0: tensor<9x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{has a batch of 9, which 4 groups do not divide (C10)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<9x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_8(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{groups both features and batches, expected at most one of them (C23)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_9(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{has a group count of 0, expected at least 1 (C21, C22)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_10(%0: tensor<8x10x16xf64>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{convolves tensor<8x10x16xf64> with tensor<3x16x12xf32> (C27)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf64>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_11(%0: tensor<1x5x2xi4>, %1: tensor<1x1x2xi4>) {
  // expected-error@+1 {{has 1 output features, which 2 batch groups do not divide (C15)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[f, 0, b]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = dense<2> : tensor<1x2xi64>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: true>, window_strides = array<i64: 1>}> : (tensor<1x5x2xi4>, tensor<1x1x2xi4>) -> tensor<1x4x12xi4>
  return
}

// -----

func.func @convolution_12(%0: tensor<4x2x2xui8>, %1: tensor<2x2x2xui8>) {
  // expected-error@+1 {{attribute 'padding' must have the shape 1x2}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[0, b, f]x[o, i, 0]->[f, b, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x1xi64>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<4x2x2xui8>, tensor<2x2x2xui8>) -> tensor<2x1x5xui8>
  return
}

// -----

func.func @convolution_13(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{names 2 dimensions of the input, which has rank 3 (C13)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return
}

// -----

func.func @convolution_14(%0: tensor<8x10x16xf32>, %1: tensor<3x16x12xf32>) {
  // expected-error@+1 {{names 3 dimensions of the output, which has rank 2 (C20)}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 4 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<8x12xf32>
  return
}

// -----

func.func @convolution_15(%0: tensor<5x2x1x2xi4>, %1: tensor<2x2x3x1xi4>) {
  // expected-error@+1 {{attribute 'window_strides' has 1 elements, expected 2}}
  %r = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[0, f, 1, b]x[o, i, 1, 0]->[1, b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 2>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1>}> : (tensor<5x2x1x2xi4>, tensor<2x2x3x1xi4>) -> tensor<0x2x4x2xi4>
  return
}

// -----

func.func @dot_1(%0: tensor<32xf32>, %1: tensor<1xf32>) {
  // expected-error@+1 {{pairs dimension 0 of size 32 with dimension 0 of size 1}}
  %r = "stablehlo.dot"(%0, %1) : (tensor<32xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_2(%0: tensor<4x4xf32>, %1: tensor<4x?xf32>) {
  // expected-error@+1 {{has a result tensor<4xf32>, expected the shape [4, ?]}}
  %r = "stablehlo.dot"(%0, %1) : (tensor<4x4xf32>, tensor<4x?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dot_3(%0: tensor<4x4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{multiplies ranks 2 and 0, expected 1 or 2}}
  %r = "stablehlo.dot"(%0, %1) : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @dot_4(%0: tensor<f32>, %1: tensor<32x4xf32>) {
  // expected-error@+1 {{multiplies ranks 0 and 2, expected 1 or 2}}
  %r = "stablehlo.dot"(%0, %1) : (tensor<f32>, tensor<32x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dot_general_1(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{has an algorithm and a precision other than DEFAULT, expected one of them (C21)}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_general_2(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{attribute 'algorithm' is supported by no known hardware}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_general_3(%0: tensor<2xi4>, %1: tensor<1x2x2xi4>) {
  // expected-error@+1 {{has 1 batching dimensions of its left side and 0 of its right side, expected as many (C1)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = []>}> : (tensor<2xi4>, tensor<1x2x2xi4>) -> tensor<2x1x2xi32>
  return
}

// -----

func.func @dot_general_4(%0: tensor<3x2xi16>, %1: tensor<3x1x2xi16>) {
  // expected-error@+1 {{has 1 contracting dimensions of its left side and 0 of its right side, expected as many (C2)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = []>}> : (tensor<3x2xi16>, tensor<3x1x2xi16>) -> tensor<2x1x2xi16>
  return
}

// -----

func.func @dot_general_5(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{attribute 'algorithm' has a count below 1}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_general_6(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{needs a quantized right side, and a result quantized as the left side is (C14)}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 2.000000e+00>>
  return
}

// -----

func.func @dot_general_7(%0: tensor<4x4xf32>, %1: tensor<4x4x!quant.uniform<i8:f32, 1.000000e+00:17>>) {
  // expected-error@+1 {{has a right side with a zero point other than 0 (C15)}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4x!quant.uniform<i8:f32, 1.000000e+00:17>>) -> tensor<?x4xf32>
  return
}

// -----

func.func @dot_general_8(%0: tensor<1xi4>, %1: tensor<1x2x2xi4>) {
  // expected-error@+1 {{pairs dimension 0 of size 1 with dimension 1 of size 2 (C9)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1]>}> : (tensor<1xi4>, tensor<1x2x2xi4>) -> tensor<2x1x2xi32>
  return
}

// -----

func.func @dot_general_9(%0: tensor<2xi4>, %1: tensor<1x2x2xi4>) {
  // expected-error@+1 {{has 1 in lhs_batching_dimensions, expected numbers in [0, 1) (C5 to C8)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1]>}> : (tensor<2xi4>, tensor<1x2x2xi4>) -> tensor<2x1x2xi32>
  return
}

// -----

func.func @dot_general_10(%0: tensor<2xi4>, %1: tensor<1x2x2xi4>) {
  // expected-error@+1 {{has 100 in rhs_batching_dimensions, expected numbers in [0, 3) (C5 to C8)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [100]>}> : (tensor<2xi4>, tensor<1x2x2xi4>) -> tensor<2x1x3x2xi32>
  return
}

// -----

func.func @dot_general_11(%0: tensor<7x1x1xbf16>, %1: tensor<7x64x1xbf16>) {
  // expected-error@+1 {{has -1 in lhs_contracting_dimensions, expected numbers in [0, 3) (C5 to C8)}}
  %r = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [-1], rhs_contracting_dimensions = [0]>}> : (tensor<7x1x1xbf16>, tensor<7x64x1xbf16>) -> tensor<1x1x64xbf16>
  return
}

// -----

func.func @dot_general_12(%0: tensor<2x4xf32>, %1: tensor<2x4xf32>) {
  // expected-error@+1 {{pairs dimension 1 of size 4 with dimension 0 of size 2 (C10)}}
  %r = "stablehlo.dot_general"(%0, %1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dynamic_conv_1(%0: tensor<1x4x4x2x!quant.uniform<i32:f32, 1.000000e+00>>, %1: tensor<3x3x2x3xf32>, %2: tensor<2x2xi64>) {
  // expected-error@+1 {{needs a quantized right side, and a result quantized as the left side is (C28)}}
  %r = "stablehlo.dynamic_conv"(%0, %1, %2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2x!quant.uniform<i32:f32, 1.000000e+00>>, tensor<3x3x2x3xf32>, tensor<2x2xi64>) -> tensor<1x?x?x3xf32>
  return
}

// -----

func.func @dynamic_conv_2(%0: tensor<1x4x2xf32>, %1: tensor<3x3x2x3xf32>, %2: tensor<2x2xi64>) {
  // expected-error@+1 {{has a padding tensor<2x2xi64>, expected 1x2 (C4)}}
  %r = "stablehlo.dynamic_conv"(%0, %1, %2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x2xf32>, tensor<3x3x2x3xf32>, tensor<2x2xi64>) -> tensor<1x?x?x3xf32>
  return
}

// -----

func.func @triangular_solve_1(%0: tensor<3x4xf64>, %1: tensor<4x2xf64>) {
  // expected-error@+1 {{has a matrix tensor<3x4xf64> that is not square (C2)}}
  %r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<4x1xf64>
  return
}

// -----

func.func @triangular_solve_2(%0: tensor<1x1xf32>, %1: tensor<0x3xf32>) {
  // expected-error@+1 {{solves tensor<0x3xf32> with tensor<1x1xf32>, which do not fit together (C3)}}
  %r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<1x1xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  return
}

// -----

func.func @triangular_solve_3(%0: tensor<1x1xf32>, %1: tensor<3xf32>) {
  // expected-error@+1 {{solves rank 1 with rank 2, expected the same rank (C2)}}
  %r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<1x1xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @triangular_solve_4(%0: tensor<4x4xbf16>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{solves tensor<4x4xf32> with tensor<4x4xbf16>, expected the same elements (C1)}}
  %r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xbf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @triangular_solve_5(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{attribute 'transpose_a' must say whether to transpose}}
  %r = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
