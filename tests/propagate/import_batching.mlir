// RUN: tess opt %s -split-input-file --sdy-explicit-gather-scatter-batching | FileCheck %s
// Indices that count along a dimension make it a batch; Shardy's texts.

// CHECK: func.func @first(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %0 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @first(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %n = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @second(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
// CHECK-NEXT: %1 = stablehlo.concatenate %arg1, %0, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
// CHECK-NEXT: %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<6x4x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %2 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @second(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %n = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %i = stablehlo.concatenate %arg1, %n, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<6x4x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @vector_first(%arg0: tensor<4x6x8xf32>, %arg1: tensor<1x3x4xi32>) -> tensor<3x4x8xf32> {
// CHECK-NEXT: %0 = stablehlo.iota dim = 2 : tensor<1x3x4xi32>
// CHECK-NEXT: %1 = stablehlo.concatenate %0, %arg1, dim = 0 : (tensor<1x3x4xi32>, tensor<1x3x4xi32>) -> tensor<2x3x4xi32>
// CHECK-NEXT: %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<2x3x4xi32>) -> tensor<3x4x8xf32>
// CHECK-NEXT: return %2 : tensor<3x4x8xf32>
// CHECK-NEXT: }
func.func @vector_first(%arg0: tensor<4x6x8xf32>, %arg1: tensor<1x3x4xi32>) -> tensor<3x4x8xf32> {
  %n = stablehlo.iota dim = 2 : tensor<1x3x4xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 0 : (tensor<1x3x4xi32>, tensor<1x3x4xi32>) -> tensor<2x3x4xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<2x3x4xi32>) -> tensor<3x4x8xf32>
  return %r : tensor<3x4x8xf32>
}

// -----

// CHECK: func.func @longer_iota(%arg0: tensor<8x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
// CHECK-NEXT: %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
// CHECK-NEXT: %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<8x6x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %2 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @longer_iota(%arg0: tensor<8x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %n = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<8x6x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @reshaped_iota(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %0 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @reshaped_iota(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %n0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %n1 = stablehlo.reshape %n0 : (tensor<4xi32>) -> tensor<4x1xi32>
  %n = stablehlo.broadcast_in_dim %n1, dims = [0, 2] : (tensor<4x1xi32>) -> tensor<4x3x1xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @wrapped_iota(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %0 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @wrapped_iota(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %n0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %zero = stablehlo.constant dense<0> : tensor<4x3x1xi32>
  %size = stablehlo.constant dense<4> : tensor<4x3x1xi32>
  %neg = stablehlo.compare LT, %n0, %zero : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x1xi1>
  %up = stablehlo.add %n0, %size : tensor<4x3x1xi32>
  %n = stablehlo.select %neg, %up, %n0 : tensor<4x3x1xi1>, tensor<4x3x1xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<4x6x8xf32>, tensor<4x3x2xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @iota_alone(%arg0: tensor<4x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
// CHECK-NEXT: %0 = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
// CHECK-NEXT: %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
// CHECK-NEXT: return %1 : tensor<4x3x8xf32>
// CHECK-NEXT: }
func.func @iota_alone(%arg0: tensor<4x8xf32>, %arg1: tensor<4x3x1xi32>) -> tensor<4x3x8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %r = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// -----

// CHECK: func.func @scatter(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>, %arg2: tensor<4x3x8xf32>) -> tensor<4x6x8xf32> {
// CHECK-NEXT: %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = true}> ({
// CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT: %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK-NEXT: stablehlo.return %1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6x8xf32>, tensor<4x3x1xi32>, tensor<4x3x8xf32>) -> tensor<4x6x8xf32>
// CHECK-NEXT: return %0 : tensor<4x6x8xf32>
// CHECK-NEXT: }
func.func @scatter(%arg0: tensor<4x6x8xf32>, %arg1: tensor<4x3x1xi32>, %arg2: tensor<4x3x8xf32>) -> tensor<4x6x8xf32> {
  %n = stablehlo.iota dim = 0 : tensor<4x3x1xi32>
  %i = stablehlo.concatenate %n, %arg1, dim = 2 : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x2xi32>
  %r = "stablehlo.scatter"(%arg0, %i, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6x8xf32>, tensor<4x3x2xi32>, tensor<4x3x8xf32>) -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}
