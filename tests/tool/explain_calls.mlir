// Names where functions are called: those of @main are meant, a story that goes through a body says whose
// names it tells, and a value has its name also where an operation gives its results several.
// RUN: tess explain %s %%1 | FileCheck %s --check-prefix=CALL
// RUN: tess explain %s --json arg:0 | FileCheck %s --check-prefix=SOURCE
// RUN: tess explain %s out | FileCheck %s --check-prefix=INSIDE
// RUN: tess explain %s '%%1 of @twice' | FileCheck %s --check-prefix=BODY
// RUN: (tess explain %s '%%1 of @thrice'; echo status $?) 2>&1 | FileCheck %s --check-prefix=THRICE
// RUN: tess explain %s least | FileCheck %s --check-prefix=LEAST
// RUN: tess explain %s %%most#1 | FileCheck %s --check-prefix=MOST
// RUN: (tess explain %s %%most#2; echo status $?) 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: tess shard %s --table | FileCheck %s --check-prefix=TABLE
// RUN: tess shard %s --constrain '%%1 of @twice=[{}, {"x"}]' | FileCheck %s --check-prefix=WHAT-IF

// CALL: %1 f32[8,4]
// CALL: %1 dim 0: from %out of @twice dim 0 through the call of @twice
// CALL-NEXT: %out of @twice dim 0: from %1 of @twice dim 0 through tanh
// CALL-NEXT: %1 of @twice dim 0: from %arg0 of @twice dim 0 through negate
// CALL-NEXT: %arg0 of @twice dim 0: from %0 dim 0 through the call of @twice
// CALL-NEXT: %0 dim 0: from %arg0 dim 0 through negate
// CALL-NEXT: %arg0 dim 0: annotated in the program, argument 0 [explain_calls.mlir:[[#@LINE+27]]]
// CALL: dim 1, size 4
// CALL: not sharded
// CALL-NEXT: nothing beside it is sharded there

// SOURCE: "cause": "annotated"
// SOURCE: "source": "explain_calls.mlir:[[#@LINE+21]]"

// INSIDE: %out of @twice f32[8,4]
// BODY: %1 of @twice f32[8,4]
// THRICE: error[E0902]: there is no value '%1 of @thrice'
// LEAST: %least f32[8,4]
// LEAST: %least dim 0: from %1 dim 0 through optimization_barrier
// MOST: %most#1 f32[8,4]
// MOST: %most#1 dim 0: from %1 dim 0 through optimization_barrier
// FEW: error[E0902]: there is no value '%most#2'
// FEW: status 1

// TABLE: {{^}}%0 {{.*}} negate
// TABLE: {{^}}%1 {{.*}} func.call
// TABLE: {{^}}%most#0 {{.*}} optimization_barrier
// TABLE: {{^}}%most#1 {{.*}} optimization_barrier
// TABLE: {{^}}%least {{.*}} optimization_barrier

// WHAT-IF: func private @twice
// WHAT-IF: sdy.sharding_constraint %1 <@mesh, [{}, {"x"}]>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.negate %arg0 : tensor<8x4xf32>
  %1 = call @twice(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %most:2, %least = stablehlo.optimization_barrier %0, %1, %1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  return %most#0, %most#1, %least : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
func.func private @twice(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %1 = stablehlo.negate %arg0 : tensor<8x4xf32>
  %out = stablehlo.tanh %1 : tensor<8x4xf32>
  return %out : tensor<8x4xf32>
}
