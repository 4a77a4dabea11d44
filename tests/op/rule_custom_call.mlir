// Rules of custom calls by target; an unknown target has none.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @elementwise(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
func.func @elementwise(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @inverted(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=4, j=8, k=8}>
func.func @inverted(%a: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %0 = stablehlo.custom_call @InvertDiagBlocksLowerTriangular(%a) : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}

// CHECK-LABEL: func @eigh(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i, k]) {i=8, j=4, k=4}>
func.func @eigh(%a: tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4xf32>) {
  %0:2 = stablehlo.custom_call @Eigh(%a) : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4xf32>)
  return %0#0, %0#1 : tensor<8x4x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func @qr(
// CHECK: #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i, l]) {i=8, j=5, k=3, l=3} need_replication={j, k, l}>
func.func @qr(%a: tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>)
  return %0#0, %0#1 : tensor<8x5x3xf32>, tensor<8x3xf32>
}

// CHECK-LABEL: func @householder(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, j, k]) {i=8, j=12, k=16, l=5} need_replication={j, k, l}>
func.func @householder(%a: tensor<8x12x16xf32>, %t: tensor<8x5xf32>) -> tensor<8x12x16xf32> {
  %0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a, %t) : (tensor<8x12x16xf32>, tensor<8x5xf32>) -> tensor<8x12x16xf32>
  return %0 : tensor<8x12x16xf32>
}

// CHECK-LABEL: func @top_k(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>
func.func @top_k(%a: tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xi32>
}

// CHECK-LABEL: func @approx_top_k(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=8, k=2} need_replication={k} blocked_propagation={k}>
func.func @approx_top_k(%a: tensor<16x8xf32>, %i: tensor<16x8xi32>, %z: tensor<f32>, %n: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xi32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %z, %n) : (tensor<16x8xf32>, tensor<16x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xi32>
}

// CHECK-LABEL: func @x64_combine(
// CHECK: #sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>
func.func @x64_combine(%a: tensor<4xui32>) -> tensor<4xui64> {
  %0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui64>
  return %0 : tensor<4xui64>
}

// CHECK-LABEL: func @x64_combine_to_state(
// CHECK: #sdy.op_sharding_rule<([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}>
// CHECK: #sdy.op_sharding_rule<([i])->([i], [j]) {i=2, j=4} need_replication={i} blocked_propagation={i}>
func.func @x64_combine_to_state(%a: tensor<2xui32>) -> tensor<4xui32> {
  %0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %1, %2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %2 : tensor<4xui32>
}

// CHECK-LABEL: func @unknown(
// CHECK-NOT: sharding_rule
// CHECK: return
func.func @unknown(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @somebodys.kernel(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
