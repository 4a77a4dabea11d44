// Rules of the ops that only rename dimensions.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @split(
// CHECK: #sdy.op_sharding_rule<([ij])->([i, j]) {i=3, j=4}>
func.func @split(%a: tensor<12xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<12xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func @merge(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([ij, k]) {i=2, j=4, k=8}>
func.func @merge(%a: tensor<2x4x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func @regroup(
// CHECK: #sdy.op_sharding_rule<([ij, k, l])->([i, jk, l]) {i=2, j=4, k=4, l=6}>
func.func @regroup(%a: tensor<8x4x6xf32>) -> tensor<2x16x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<8x4x6xf32>) -> tensor<2x16x6xf32>
  return %0 : tensor<2x16x6xf32>
}

// CHECK-LABEL: func @common_divisor(
// CHECK: #sdy.op_sharding_rule<([ij, mn])->([ik, ln]) {i=2, j=3, k=2, l=3, m=2, n=2}>
func.func @common_divisor(%a: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// CHECK-LABEL: func @diverge(
// CHECK: #sdy.op_sharding_rule<([i, k, m])->([j, l, m]) {i=3, j=5, k=5, l=3, m=2}>
func.func @diverge(%a: tensor<3x5x2xf32>) -> tensor<5x3x2xf32> {
  %0 = stablehlo.reshape %a : (tensor<3x5x2xf32>) -> tensor<5x3x2xf32>
  return %0 : tensor<5x3x2xf32>
}

// CHECK-LABEL: func @diverge_then_meet(
// CHECK: #sdy.op_sharding_rule<([i, km, no])->([j, lm, n, o]) {i=2, j=3, k=3, l=2, m=2, n=7, o=5}>
func.func @diverge_then_meet(%a: tensor<2x6x35xf32>) -> tensor<3x4x7x5xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x6x35xf32>) -> tensor<3x4x7x5xf32>
  return %0 : tensor<3x4x7x5xf32>
}

// CHECK-LABEL: func @ones(
// CHECK: #sdy.op_sharding_rule<([i, j, k, no])->([j, l, m, n, o, p]) {i=1, j=8, k=1, l=1, m=1, n=2, o=2, p=1}>
func.func @ones(%a: tensor<1x8x1x4xf32>) -> tensor<8x1x1x2x2x1xf32> {
  %0 = stablehlo.reshape %a : (tensor<1x8x1x4xf32>) -> tensor<8x1x1x2x2x1xf32>
  return %0 : tensor<8x1x1x2x2x1xf32>
}

// CHECK-LABEL: func @to_scalar(
// CHECK: #sdy.op_sharding_rule<([i, j])->([]) {i=1, j=1}>
func.func @to_scalar(%a: tensor<1x1xf32>) -> tensor<f32> {
  %0 = stablehlo.reshape %a : (tensor<1x1xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @no_elements(
// CHECK-NOT: sharding_rule
// CHECK: return
func.func @no_elements(%a: tensor<0x4xf32>) -> tensor<2x0xf32> {
  %0 = stablehlo.reshape %a : (tensor<0x4xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// CHECK-LABEL: func @transpose(
// CHECK: #sdy.op_sharding_rule<([j, k, i])->([i, j, k]) {i=4, j=2, k=3}>
func.func @transpose(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func @broadcast(
// CHECK: #sdy.op_sharding_rule<([j, k, m])->([i, j, l, m]) {i=2, j=5, k=1, l=6, m=7}>
func.func @broadcast(%a: tensor<5x1x7xf32>) -> tensor<2x5x6x7xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2, 3] : (tensor<5x1x7xf32>) -> tensor<2x5x6x7xf32>
  return %0 : tensor<2x5x6x7xf32>
}

// CHECK-LABEL: func @bitcast_up(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([i, j]) {i=4, j=2, k=2} need_replication={k}>
func.func @bitcast_up(%a: tensor<4x2x2xui32>) -> tensor<4x2xui64> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2x2xui32>) -> tensor<4x2xui64>
  return %0 : tensor<4x2xui64>
}

// CHECK-LABEL: func @bitcast_down(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j, k]) {i=4, j=2, k=2} need_replication={k}>
func.func @bitcast_down(%a: tensor<4x2xui64>) -> tensor<4x2x2xui32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2xui64>) -> tensor<4x2x2xui32>
  return %0 : tensor<4x2x2xui32>
}
