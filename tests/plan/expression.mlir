// A constraint stands behind an expression of the source: what only the backward pass computes at its place, as
// the derivative of a weight, cannot be constrained there, and what one line computes for each of several tensors
// (jax.tree.map) is constrained for all of them.
// RUN: tess advise %S/more_mistakes/scan_wrong_axis.mlir --target h100x8 | FileCheck %s --implicit-check-not='constrain %'
// CHECK: 1. drop the constraint of %14 of @eval_jaxpr bf16[16,512,8192] and 2 more
// CHECK: changes tried
