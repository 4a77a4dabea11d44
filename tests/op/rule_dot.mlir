// Rules of products: batch and free dimensions pass, contracted ones are reduced and come last.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @batched(
// CHECK: #sdy.op_sharding_rule<([i, j, l], [i, l, k])->([i, j, k]) {i=4, j=16, k=32, l=8} reduction={l}>
func.func @batched(%a: tensor<4x16x8xf32>, %b: tensor<4x8x32xf32>) -> tensor<4x16x32xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x16x8xf32>, tensor<4x8x32xf32>) -> tensor<4x16x32xf32>
  return %0 : tensor<4x16x32xf32>
}

// CHECK-LABEL: func @two_contracted(
// CHECK: #sdy.op_sharding_rule<([l, i, k], [k, j, l])->([i, j]) {i=3, j=7, k=5, l=8} reduction={k, l}>
func.func @two_contracted(%a: tensor<8x3x5xf32>, %b: tensor<5x7x8xf32>) -> tensor<3x7xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2, 0] x [0, 2] : (tensor<8x3x5xf32>, tensor<5x7x8xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// CHECK-LABEL: func @outer_product(
// CHECK: #sdy.op_sharding_rule<([i], [j])->([i, j]) {i=8, j=16}>
func.func @outer_product(%a: tensor<8xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<8xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @matrix_vector(
// CHECK: #sdy.op_sharding_rule<([i, j], [j])->([i]) {i=8, j=32} reduction={j}>
func.func @matrix_vector(%a: tensor<8x32xf32>, %b: tensor<32xf32>) -> tensor<8xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @vector_matrix(
// CHECK: #sdy.op_sharding_rule<([j], [j, i])->([i]) {i=4, j=32} reduction={j}>
func.func @vector_matrix(%a: tensor<32xf32>, %b: tensor<32x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<32xf32>, tensor<32x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @inner_product(
// CHECK: #sdy.op_sharding_rule<([i], [i])->([]) {i=32} reduction={i}>
func.func @inner_product(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
