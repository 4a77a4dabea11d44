// Nothing takes time in this program, and all plans cost the same: 0 s. The plan is the one that takes the least
// memory, and no ratio of two times of 0 is printed.
//
// RUN: tess plan %s --devices 2 | FileCheck %s --implicit-check-not=nan
// RUN: tess plan %s --devices 2 --json | FileCheck %s --check-prefix=JSON
// RUN: tess plan %s --devices 2 --mesh x=2 --tactic 'fsdp over x' -o %t.mlir
// RUN: tess explain %t.mlir --plan | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=nan
// RUN: tess advise %t.mlir | FileCheck %s --check-prefix=ADVISE --implicit-check-not=nan
//
// CHECK: step 0 ns
// CHECK: not over it +0.0 %
// JSON: "peak_bytes": 1920
// JSON: "next_step_seconds": 0,
// JSON: "frontier"
// JSON: "chosen": true
// EXPLAIN: P("x")
// EXPLAIN: as fast
// ADVISE: nothing that was tried gains

func.func @main(%arg0: tensor<16x16xf32>, %arg1: tensor<7x32xf32>) -> (tensor<16x16xf32>, tensor<7x32xf32>) {
  return %arg0, %arg1 : tensor<16x16xf32>, tensor<7x32xf32>
}
