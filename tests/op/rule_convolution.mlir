// Rules of convolutions: the larger of windows and window comes first; groups are factors of their own.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @window_smaller(
// CHECK: #sdy.op_sharding_rule<([i, jk, lm, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=112, k=2, l=112, m=2, n=192, o=64} reduction={k, m, n} permutation={j, l}>
func.func @window_smaller(%a: tensor<2x224x224x192xf32>, %b: tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
  return %0 : tensor<2x112x112x64xf32>
}

// CHECK-LABEL: func @window_larger(
// CHECK: #sdy.op_sharding_rule<([i, j, k, l], [j, k, l, m])->([i, n, o, m]) {i=2, j=8, k=6, l=16, m=4, n=1, o=1} reduction={j, k, l}>
func.func @window_larger(%a: tensor<2x8x8x16xf32>, %b: tensor<8x6x16x4xf32>) -> tensor<2x1x3x4xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x16xf32>, tensor<8x6x16x4xf32>) -> tensor<2x1x3x4xf32>
  return %0 : tensor<2x1x3x4xf32>
}

// CHECK-LABEL: func @feature_groups(
// CHECK: #sdy.op_sharding_rule<([i, j, k, lm], [o, p, m, ln])->([i, j, k, ln]) {i=8, j=10, k=12, l=4, m=4, n=8, o=1, p=1} reduction={m} permutation={j, k}>
func.func @feature_groups(%a: tensor<8x10x12x16xf32>, %b: tensor<1x1x4x32xf32>) -> tensor<8x10x12x32xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<8x10x12x16xf32>, tensor<1x1x4x32xf32>) -> tensor<8x10x12x32xf32>
  return %0 : tensor<8x10x12x32xf32>
}

// CHECK-LABEL: func @depthwise(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [m, l, k])->([i, j, k]) {i=8, j=8, k=16, l=1, m=1} reduction={l} permutation={j}>
func.func @depthwise(%a: tensor<8x10x16xf32>, %b: tensor<3x1x16xf32>) -> tensor<8x8x16xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<8x10x16xf32>, tensor<3x1x16xf32>) -> tensor<8x8x16xf32>
  return %0 : tensor<8x8x16xf32>
}

// CHECK-LABEL: func @batch_groups(
// CHECK: #sdy.op_sharding_rule<([ij, k, l], [n, l, im])->([j, k, im]) {i=4, j=2, k=8, l=16, m=3, n=1} reduction={l} permutation={k}>
func.func @batch_groups(%a: tensor<8x10x16xf32>, %b: tensor<3x16x12xf32>) -> tensor<2x8x12xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x10x16xf32>, tensor<3x16x12xf32>) -> tensor<2x8x12xf32>
  return %0 : tensor<2x8x12xf32>
}
