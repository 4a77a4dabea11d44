// Each use of a constant expression, and of a broadcast scalar, gets its own.
// RUN: tess opt %s -sdy-constant-or-scalar-splitter -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @expression(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = sdy.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %3 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %4 = stablehlo.iota dim = 0 : tensor<8xf32>
// CHECK-NEXT: %5 = stablehlo.iota dim = 0 : tensor<8xf32>
// CHECK-NEXT: %6 = stablehlo.multiply %1, %4 : tensor<8xf32>
// CHECK-NEXT: %7 = stablehlo.multiply %3, %5 : tensor<8xf32>
// CHECK-NEXT: %8 = stablehlo.add %arg0, %6 : tensor<8xf32>
// CHECK-NEXT: %9 = stablehlo.add %arg0, %2 : tensor<8xf32>
// CHECK-NEXT: return %7, %8, %9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
// What is computed from constants alone is copied with them; scalars are shared.
func.func @expression(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8xf32>
  %4 = stablehlo.add %arg0, %3 : tensor<8xf32>
  %5 = stablehlo.add %arg0, %1 : tensor<8xf32>
  return %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @group(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = sdy.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-NEXT: sdy.sharding_group %0 group_id=3 : tensor<8xf32>
// CHECK-NEXT: %1 = sdy.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-NEXT: sdy.sharding_group %1 group_id=3 : tensor<8xf32>
// CHECK-NEXT: %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
// CHECK-NEXT: return %1, %2 : tensor<8xf32>, tensor<8xf32>
// A member of a sharding group is one in each copy.
func.func @group(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
  sdy.sharding_group %0 group_id=3 : tensor<8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = call @ones_0() : () -> tensor<8xf32>
// CHECK-NEXT: %1 = call @ones_1() : () -> tensor<8xf32>
// CHECK-NEXT: %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
// CHECK-NEXT: return %1, %2 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @ones() -> tensor<8xf32> {
// CHECK-NEXT: %0 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @ones_0() -> tensor<8xf32> attributes {sdy.original_func_name = "ones"} {
// CHECK-NEXT: %0 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @ones_1() -> tensor<8xf32> attributes {sdy.original_func_name = "ones"} {
// CHECK-NEXT: %0 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// A function of constants only is one too; each use calls a copy of it.
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @ones() : () -> tensor<8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @ones() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = sdy.constant dense<2.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %1 = sdy.constant dense<2.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.constant dense<2.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %3 = "stablehlo.case"(%arg1) ({
// CHECK-NEXT: stablehlo.return %0 : tensor<8xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: %5 = stablehlo.add %1, %arg0 : tensor<8xf32>
// CHECK-NEXT: stablehlo.return %5 : tensor<8xf32>
// CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
// CHECK-NEXT: %4 = call @random(%2) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %3, %4 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @random(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = stablehlo.custom_call @draw(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// What a case captures is used there; a function with anything else in it is not constant.
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<2.0> : tensor<8xf32>
  %1 = "stablehlo.case"(%arg1) ({
    stablehlo.return %0 : tensor<8xf32>
  }, {
    %3 = stablehlo.add %0, %arg0 : tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %2 = call @random(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
func.func private @random(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @draw(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
