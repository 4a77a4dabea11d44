// Rules of gather and scatter.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @rows(
// CHECK: #sdy.op_sharding_rule<([l, k], [i, j, m])->([i, j, k]) {i=8, j=16, k=64, l=100, m=1} reduction={l} need_replication={m}>
func.func @rows(%a: tensor<100x64xf32>, %i: tensor<8x16x1xi32>) -> tensor<8x16x64xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 64>}> : (tensor<100x64xf32>, tensor<8x16x1xi32>) -> tensor<8x16x64xf32>
  return %0 : tensor<8x16x64xf32>
}

// CHECK-LABEL: func @part_of_row(
// CHECK: #sdy.op_sharding_rule<([j, l, m], [i, n])->([i, k, l, m]) {i=5, j=3, k=1, l=4, m=6, n=2} reduction={j} need_replication={k, l, n} blocked_propagation={l}>
func.func @part_of_row(%a: tensor<3x4x6xf32>, %i: tensor<5x2xi64>) -> tensor<5x1x2x6xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 6>}> : (tensor<3x4x6xf32>, tensor<5x2xi64>) -> tensor<5x1x2x6xf32>
  return %0 : tensor<5x1x2x6xf32>
}

// CHECK-LABEL: func @batching(
// CHECK: #sdy.op_sharding_rule<([j, k, m, l], [i, j, k])->([i, j, k, l]) {i=2, j=9, k=3, l=6, m=4} reduction={m}>
func.func @batching(%a: tensor<9x3x4x6xf32>, %i: tensor<2x9x3xi64>) -> tensor<2x9x3x6xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 2], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 6>}> : (tensor<9x3x4x6xf32>, tensor<2x9x3xi64>) -> tensor<2x9x3x6xf32>
  return %0 : tensor<2x9x3x6xf32>
}

// CHECK-LABEL: func @scatter_add(
// CHECK: #sdy.op_sharding_rule<([k, j], [i, l], [i, j])->([k, j]) {i=8, j=64, k=100, l=1} reduction={i} need_replication={l}>
func.func @scatter_add(%a: tensor<100x64xf32>, %i: tensor<8x1xi32>, %u: tensor<8x64xf32>) -> tensor<100x64xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<8x1xi32>, tensor<8x64xf32>) -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}

// CHECK-LABEL: func @scatter_set(
// CHECK: #sdy.op_sharding_rule<([l, j], [i, m], [i, k])->([l, j]) {i=8, j=64, k=32, l=100, m=1} need_replication={i, j, k, m}>
func.func @scatter_set(%a: tensor<100x64xf32>, %i: tensor<8x1xi32>, %u: tensor<8x32xf32>) -> tensor<100x64xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<8x1xi32>, tensor<8x32xf32>) -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}

// CHECK-LABEL: func @scatter_two_batched(
// CHECK: #sdy.op_sharding_rule<([i, k], [i, k], [i, j, l], [i, j], [i, j])->([i, k], [i, k]) {i=4, j=5, k=9, l=1} reduction={j} need_replication={l}>
func.func @scatter_two_batched(%a: tensor<4x9xf32>, %b: tensor<4x9xf32>, %i: tensor<4x5x1xi32>, %u: tensor<4x5xf32>, %v: tensor<4x5xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>) {
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.maximum %z, %x : tensor<f32>
    %2 = stablehlo.maximum %y, %w : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>, tensor<4x5xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
  return %0#0, %0#1 : tensor<4x9xf32>, tensor<4x9xf32>
}
