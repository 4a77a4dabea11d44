// Rules of element-wise ops and of those collectives that come near.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @add(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=1}>
func.func @add(%a: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = stablehlo.add %a, %a : tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func @scalar(
// CHECK: #sdy.op_sharding_rule<([])->([])>
func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %a : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @clamp(
// CHECK: #sdy.op_sharding_rule<([], [i, j], [])->([i, j]) {i=4, j=8}>
func.func @clamp(%a: tensor<f32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.clamp %a, %b, %a : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @select(
// CHECK: #sdy.op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=4, j=8}>
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=4, j=8}>
func.func @select(%p: tensor<i1>, %q: tensor<4x8xi1>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.select %p, %b, %b : tensor<i1>, tensor<4x8xf32>
  %1 = stablehlo.select %q, %0, %b : tensor<4x8xi1>, tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func @many_dims(
// CHECK: #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v])->([i, j, k, l, m, n, o, p, q, r, s, t, u, v]) {i=1, j=2, k=3, l=1, m=2, n=3, o=1, p=2, q=3, r=1, s=2, t=3, u=1, v=2}>
func.func @many_dims(%a: tensor<1x2x3x1x2x3x1x2x3x1x2x3x1x2xf32>) -> tensor<1x2x3x1x2x3x1x2x3x1x2x3x1x2xf32> {
  %0 = stablehlo.negate %a : tensor<1x2x3x1x2x3x1x2x3x1x2x3x1x2xf32>
  return %0 : tensor<1x2x3x1x2x3x1x2x3x1x2x3x1x2xf32>
}

// CHECK-LABEL: func @own_rule(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=8} need_replication={j}, custom>
func.func @own_rule(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=8} need_replication={j}, custom>} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @all_gather(
// CHECK: #sdy.op_sharding_rule<([j, i])->([k, i]) {i=8, j=2, k=8} need_replication={j, k}>
func.func @all_gather(%a: tensor<2x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func @reduce_scatter(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=8, k=2} need_replication={j, k}>
func.func @reduce_scatter(%a: tensor<8x8xf32>) -> tensor<8x2xf32> {
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x8xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// CHECK-LABEL: func @all_to_all(
// CHECK: #sdy.op_sharding_rule<([j, l, i])->([k, m, i]) {i=4, j=8, k=2, l=8, m=32} need_replication={j, k, l, m}>
func.func @all_to_all(%a: tensor<8x8x4xf32>) -> tensor<2x32x4xf32> {
  %0 = "stablehlo.all_to_all"(%a) <{concat_dimension = 1 : i64, split_count = 4 : i64, split_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x8x4xf32>) -> tensor<2x32x4xf32>
  return %0 : tensor<2x32x4xf32>
}
