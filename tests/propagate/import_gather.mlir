// An index that is the coordinate along dimension 0 becomes a batching dimension.
// RUN: tess opt %s -sdy-explicit-gather-scatter-batching -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @clamped(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xi32>) -> tensor<4xf32> {
// CHECK-NEXT: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %0 : tensor<4xf32>
// clamp and select as JAX writes them change nothing about coordinates.
func.func @clamped(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xi32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<4xi32>
  %none = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.clamp %zero, %0, %last : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.compare LT, %1, %none : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.add %1, %four : tensor<4xi32>
  %4 = stablehlo.select %2, %3, %1 : tensor<4xi1>, tensor<4xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %6 = stablehlo.concatenate %5, %arg1, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @wrong(%arg0: tensor<4x8xf32>, %arg1: tensor<4x4x1xi32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT: %0 = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT: %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<4x4x1xi32>
// CHECK-NEXT: %2 = stablehlo.concatenate %1, %arg1, dim = 2 : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x2xi32>
// CHECK-NEXT: %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x4x2xi32>) -> tensor<4x4xf32>
// CHECK-NEXT: %4 = stablehlo.clamp %c, %0, %c_0 : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT: %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x4x1xi32>
// CHECK-NEXT: %6 = stablehlo.concatenate %5, %arg1, dim = 2 : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x2xi32>
// CHECK-NEXT: %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x4x2xi32>) -> tensor<4x4xf32>
// CHECK-NEXT: return %3, %7 : tensor<4x4xf32>, tensor<4x4xf32>
// An iota along another dimension is no coordinate along dimension 0; nor is one that
// a clamp cuts off.
func.func @wrong(%arg0: tensor<4x8xf32>, %arg1: tensor<4x4x1xi32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<4x4x1xi32>
  %2 = stablehlo.concatenate %1, %arg1, dim = 2 : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x2xi32>
  %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x4x2xi32>) -> tensor<4x4xf32>
  %4 = stablehlo.clamp %zero, %0, %two : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x4x1xi32>
  %6 = stablehlo.concatenate %5, %arg1, dim = 2 : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x2xi32>
  %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x4x2xi32>) -> tensor<4x4xf32>
  return %3, %7 : tensor<4x4xf32>, tensor<4x4xf32>
}
