// Rules of reduce, sort and windows.
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s

// CHECK-LABEL: func @sum(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [])->([j]) {i=2, j=64, k=13} reduction={i, k}>
func.func @sum(%a: tensor<2x64x13xf32>, %z: tensor<f32>) -> tensor<64xf32> {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func @argmax(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i], [i]) {i=4, j=64} reduction={j}>
func.func @argmax(%a: tensor<4x64xf32>, %i: tensor<4x64xi32>, %z: tensor<f32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = "stablehlo.reduce"(%a, %i, %z, %n) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %u: tensor<f32>, %v: tensor<i32>):
    %1 = stablehlo.compare GE, %x, %u : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %u : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %y, %v : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) : (tensor<4x64xf32>, tensor<4x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: func @sort(
// CHECK: #sdy.op_sharding_rule<([i, j], [i, j])->([i, j], [i, j]) {i=4, j=32} need_replication={j}>
func.func @sort(%a: tensor<4x32xi32>, %b: tensor<4x32xf32>) -> (tensor<4x32xi32>, tensor<4x32xf32>) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<f32>, %v: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x32xi32>, tensor<4x32xf32>) -> (tensor<4x32xi32>, tensor<4x32xf32>)
  return %0#0, %0#1 : tensor<4x32xi32>, tensor<4x32xf32>
}

// CHECK-LABEL: func @sort_alone(
// CHECK: #sdy.op_sharding_rule<([i, j])->([i, j]) {i=1, j=32} need_replication={j} blocked_propagation={j}>
func.func @sort_alone(%a: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1x32xi32>) -> tensor<1x32xi32>
  return %0 : tensor<1x32xi32>
}

// CHECK-LABEL: func @pool(
// CHECK: #sdy.op_sharding_rule<([i, j, k], [])->([i, j, k]) {i=16, j=49, k=1} permutation={i, k}>
func.func @pool(%a: tensor<48x49x3xf32>, %z: tensor<f32>) -> tensor<16x49x1xf32> {
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 3, 1, 3>, window_strides = array<i64: 3, 1, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<48x49x3xf32>, tensor<f32>) -> tensor<16x49x1xf32>
  return %0 : tensor<16x49x1xf32>
}

// CHECK-LABEL: func @unpool(
// CHECK: #sdy.op_sharding_rule<([j, l, m], [i, k, m], [])->([j, l, m]) {i=5, j=10, k=12, l=24, m=64} need_replication={i, k} permutation={j, l}>
func.func @unpool(%a: tensor<10x24x64xf32>, %s: tensor<5x12x64xf32>, %z: tensor<f32>) -> tensor<10x24x64xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2, 2, 1>, window_strides = array<i64: 2, 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<10x24x64xf32>, tensor<5x12x64xf32>, tensor<f32>) -> tensor<10x24x64xf32>
  return %0 : tensor<10x24x64xf32>
}
