// An iota broadcast along dimension 1 is no batch index of dimension 0: what Shardy makes a
// batching dimension here would gather other elements.
// RUN: tess opt %s -sdy-explicit-gather-scatter-batching | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.concatenate
// CHECK: "stablehlo.gather"(%arg0, %
// CHECK-SAME: collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2
func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4x1xi32>) -> tensor<4x4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<4x4x1xi32>
  %2 = stablehlo.concatenate %1, %arg1, dim = 2 : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x2xi32>
  %3 = "stablehlo.gather"(%arg0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x4x2xi32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
