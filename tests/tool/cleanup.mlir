// RUN: tess opt -canonicalize %s | FileCheck %s --check-prefix=CANON
// RUN: tess opt -cse %s | FileCheck %s --check-prefix=CSE
// RUN: tess opt -symbol-dce %s | FileCheck %s --check-prefix=DCE
// RUN: tess opt -inline %s | FileCheck %s --check-prefix=INLINE
// RUN: tess opt --pass-pipeline='builtin.module(inline,func.func(cse),symbol-dce)' %s | FileCheck %s --check-prefix=INLINE
// The general passes, as MLIR's: each output here is that of sdy_opt.

// Constants of a function become one, at its front; cse leaves those of inner regions.
// CANON-LABEL: func.func @constants
// CANON-NEXT: %cst = stablehlo.constant dense<1.000000e+00>
// CANON-NEXT: %0 = stablehlo.add %arg0, %cst
// CANON-NEXT: %1 = stablehlo.add %0, %cst
// CANON-NOT: stablehlo.constant
// CANON: return
// CSE-LABEL: func.func @constants
// CSE: stablehlo.constant
// CSE-NOT: stablehlo.constant
// CSE: return
func.func @constants(%a: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %c0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %a, %c0 : tensor<8xf32>
  %c1 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.add %0, %c1 : tensor<8xf32>
  %2 = "stablehlo.if"(%p) ({
    %k = stablehlo.constant dense<1.0> : tensor<8xf32>
    stablehlo.return %k : tensor<8xf32>
  }, {
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// What nothing uses goes; what only that used stays until the next time.
// CSE-LABEL: func.func @unused
// CSE-NEXT: stablehlo.negate
// CSE-NEXT: %[[S:.*]] = stablehlo.add
// CSE-NEXT: stablehlo.multiply %[[S]], %[[S]]
// CSE-NEXT: return
func.func @unused(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  %2 = stablehlo.add %a, %a : tensor<8xf32>
  %3 = stablehlo.add %a, %a : tensor<8xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<8xf32>
  %5 = stablehlo.custom_call @nothing(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// INLINE-LABEL: func.func @caller
// INLINE-NEXT: stablehlo.cosine
// INLINE-NEXT: return
// INLINE-NOT: @callee
// DCE-LABEL: func.func @caller
// DCE: call @callee
// DCE: func.func private @callee
// DCE-NOT: @alone
// DCE-NOT: @nested
func.func @caller(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @callee(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @callee(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.cosine %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @alone(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }
func.func nested @nested(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }

// Operations whose regions combine two values in the same way are one.
// CSE-LABEL: func.func @reductions
// CSE: stablehlo.reduce{{.*}}stablehlo.add
// CSE-NEXT: stablehlo.reduce{{.*}}stablehlo.maximum
// CSE-NEXT: return %0, %0, %1
func.func @reductions(%x: tensor<8x64xf32>, %c: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CSE-LABEL: func.func @comparators
// CSE-COUNT-2: "stablehlo.sort"
// CSE-NOT: "stablehlo.sort"
// CSE: return
func.func @comparators(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
