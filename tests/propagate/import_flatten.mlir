// Each function keeps its first call; further calls get copies, with copies of what those call.
// RUN: tess opt %s -sdy-flatten-call-graph | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = call @outer(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %1 = call @outer_1(%0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %2 = call @inner_2(%1) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %2 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @inner_0(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"} {
// CHECK-NEXT: %0 = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @outer_1(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "outer"} {
// CHECK-NEXT: %0 = call @inner_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func private @inner_2(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"} {
// CHECK-NEXT: %0 = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @outer(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @outer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @inner(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @outer(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
