// RUN: tess opt %s -inline | FileCheck %s

// A call that says no_inline stays, and so do the calls of a function that says it.

// CHECK-LABEL: func.func public @main
// CHECK-NEXT: %[[A:.*]] = call @early(%arg0) {no_inline}
// CHECK-NEXT: %[[B:.*]] = stablehlo.abs %[[A]]
// CHECK-NEXT: call @late(%[[B]])
func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @early(%x) {no_inline} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @early(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @late(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK: func.func private @early
func.func private @early(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func private @late
func.func private @late(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  %0 = stablehlo.cosine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
