// RUN: tess opt %s -split-input-file -verify-diagnostics
// CHLO's operations beside the elementwise ones of verify_chlo.mlir.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @_asin_acos_kernel(%0: tensor<4xi1>) {
  // expected-error@+1 {{operand 0 is tensor<4xi1>, expected a tensor of complex numbers}}
  %r = "chlo._asin_acos_kernel"(%0) : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @broadcast_and(%0: tensor<i64>, %1: tensor<i32>) {
  // expected-error@+1 {{has operands tensor<i64> and tensor<i32>, expected the same elements}}
  %r = "chlo.broadcast_and"(%0, %1) : (tensor<i64>, tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @broadcast_complex(%0: tensor<4xf32>, %1: tensor<4xf32>) {
  // expected-error@+1 {{result 0 is tensor<4x4xcomplex<f32>>, but its operands and attributes make tensor<4xcomplex<f32>>}}
  %r = "chlo.broadcast_complex"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xcomplex<f32>>
  return
}

// -----

func.func @constant_like_1(%0: tensor<4xf32>) {
  // expected-error@+1 {{has a value of another type than its result's elements}}
  %r = "chlo.constant_like"(%0) <{value = 3.200000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @constant_like_2(%0: tensor<f32>) {
  // expected-error@+1 {{has a result tensor<4xf32> like an operand tensor<f32>}}
  %r = "chlo.constant_like"(%0) <{value = 3.200000e+00 : f32}> : (tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @mulhi(%0: tensor<ui8>, %1: tensor<ui8>) {
  // expected-error@+1 {{result 0 is tensor<*xui8>, expected a ranked tensor}}
  %r = "chlo.mulhi"(%0, %1) : (tensor<ui8>, tensor<ui8>) -> tensor<*xui8>
  return
}

// -----

func.func @ragged_dot_1(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has group dimensions, expected none where a batch or contracted dimension is ragged}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_2(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<2x3xi64>) {
  // expected-error@+1 {{has group sizes of rank 2, expected 1}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<2x3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_3(%0: tensor<4x0xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{contracts dimensions of different sizes}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x0xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_4(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has a result tensor<4xf32>, expected tensor<4x5xf32>}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @ragged_dot_5(%0: tensor<4x4xf32>, %1: tensor<2x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has a group dimension of 2, expected 3}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<2x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_6(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<i64>) {
  // expected-error@+1 {{has scalar group sizes}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_7(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<i64>) {
  // expected-error@+1 {{has -1 in rhs_group_dimensions, expected numbers in [0, 3)}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [-1]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_8(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{pairs lists of different lengths}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<1x5xf32>
  return
}

// -----

func.func @ragged_dot_9(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has 0 ragged dimensions, expected 1}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_10(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has a group dimension that is a batch or contracted too}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_11(%0: tensor<4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has 100 in lhs_contracting_dimensions, expected numbers in [0, 1)}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [100], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_12(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has 2 in lhs_ragged_dimensions, expected numbers in [0, 2)}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_13(%0: tensor<4x4xf32>, %1: tensor<3x4x5xf32>, %2: tensor<3xi64>) {
  // expected-error@+1 {{has 100 in rhs_contracting_dimensions, expected numbers in [0, 3)}}
  %r = "chlo.ragged_dot"(%0, %1, %2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [100], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scan_1(%0: tensor<4xf32>, %1: tensor<i8>) {
  // expected-error@+1 {{has a body whose argument 1 is tensor<f32>, expected tensor<i8>}}
  %r:2 = "chlo.scan"(%0, %1) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3, %3) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<i8>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_2(%0: tensor<*xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{scans tensor<*xf32>, expected a ranked tensor}}
  %r:2 = "chlo.scan"(%0, %1) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3, %3) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<*xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_3(%0: tensor<f32>, %1: tensor<f32>) {
  // expected-error@+1 {{scans dimension 0 of tensor<f32>}}
  %r:2 = "chlo.scan"(%0, %1) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3, %3) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @scan_4(%0: tensor<4xf32>, %1: tensor<f32>) {
  %r:2 = "chlo.scan"(%0, %1) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%arg0: tensor<*xf32>, %arg1: tensor<*xf32>):
    // expected-error@+1 {{operand 0 is tensor<*xf32>, expected a ranked tensor}}
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    "stablehlo.return"(%3, %3) : (tensor<*xf32>, tensor<*xf32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @top_k_1(%0: tensor<i32>) {
  // expected-error@+1 {{takes a scalar, expected at least one dimension}}
  %r:2 = "chlo.top_k"(%0) <{k = 1 : i64}> : (tensor<i32>) -> (tensor<1xi32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_2(%0: tensor<0xi32>) {
  // expected-error@+1 {{takes 1 of 0 elements}}
  %r:2 = "chlo.top_k"(%0) <{k = 1 : i64}> : (tensor<0xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_3(%0: tensor<2xi32>) {
  // expected-error@+1 {{result 0 is tensor<i32>, but its operands and attributes make tensor<1xi32>}}
  %r:2 = "chlo.top_k"(%0) <{k = 1 : i64}> : (tensor<2xi32>) -> (tensor<i32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_4(%0: tensor<2xi32>) {
  // expected-error@+1 {{takes -1 of 2 elements}}
  %r:2 = "chlo.top_k"(%0) <{k = -1 : i64}> : (tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  return
}
