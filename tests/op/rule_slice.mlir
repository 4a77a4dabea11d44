// Rules of the ops that cut, pad, join and turn around.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @slice(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=32, j=4, k=8} permutation={j, k}>
func.func @slice(%a: tensor<32x4x8xf32>) -> tensor<32x1x2xf32> {
  %0 = stablehlo.slice %a [0:32, 1:2, 4:8:2] : (tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}

// CHECK-LABEL: func @pad(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [])->([i, j, k]) {i=28, j=28, k=16} permutation={i, j}>
func.func @pad(%a: tensor<28x28x16xf32>, %v: tensor<f32>) -> tensor<30x26x16xf32> {
  %0 = stablehlo.pad %a, %v, low = [1, -1, 0], high = [1, -1, 0], interior = [0, 0, 0] : (tensor<28x28x16xf32>, tensor<f32>) -> tensor<30x26x16xf32>
  return %0 : tensor<30x26x16xf32>
}

// CHECK-LABEL: func @dynamic_slice(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [], [], [])->([i, j, k]) {i=32, j=4, k=8} need_replication={j, k} blocked_propagation={j, k}>
func.func @dynamic_slice(%a: tensor<32x4x8xf32>, %i: tensor<i32>) -> tensor<32x1x2xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, %i, %i, sizes = [32, 1, 2] : (tensor<32x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}

// CHECK-LABEL: func @dynamic_update_slice(
// CHECK: #sdy.op_sharding_rule<([i, j, l], [i, k, m], [], [], [])->([i, j, l]) {i=32, j=4, k=1, l=8, m=2} need_replication={k, m}>
func.func @dynamic_update_slice(%a: tensor<32x4x8xf32>, %u: tensor<32x1x2xf32>, %i: tensor<i32>) -> tensor<32x4x8xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i, %i : (tensor<32x4x8xf32>, tensor<32x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x4x8xf32>
  return %0 : tensor<32x4x8xf32>
}

// CHECK-LABEL: func @update_at_constant(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1}>
func.func @update_at_constant(%a: tensor<32x4xf32>, %u: tensor<32x1xf32>) -> tensor<32x4xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>
  return %0 : tensor<32x4xf32>
}

// CHECK-LABEL: func @concatenate(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=14} need_replication={j}>
func.func @concatenate(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>) -> tensor<4x14xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  return %0 : tensor<4x14xf32>
}

// CHECK-LABEL: func @concatenate_slices(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} permutation={j}>
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} permutation={j}>
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8} permutation={j}>
func.func @concatenate_slices(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %a [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.slice %b [0:4, 4:8] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: func @wrap_around(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} permutation={j}>
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} permutation={j}>
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=4, j=10} permutation={j}>
func.func @wrap_around(%a: tensor<4x8xf32>) -> tensor<4x10xf32> {
  %0 = stablehlo.slice %a [0:4, 7:8] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.slice %a [0:4, 0:1] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %2 = stablehlo.concatenate %0, %a, %1, dim = 1 : (tensor<4x1xf32>, tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x10xf32>
  return %2 : tensor<4x10xf32>
}

// CHECK-LABEL: func @reverse(
// CHECK: #sdy.op_sharding_rule<([i, j, k, l])->([i, j, k, l]) {i=4, j=32, k=8, l=2} permutation={j, l}>
func.func @reverse(%a: tensor<4x32x8x2xf32>) -> tensor<4x32x8x2xf32> {
  %0 = stablehlo.reverse %a, dims = [1, 3] : tensor<4x32x8x2xf32>
  return %0 : tensor<4x32x8x2xf32>
}
