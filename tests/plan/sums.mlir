// A tactic is tried with products, copies of parameters and sums annotated, with the sums alone, and with
// arguments alone.  Here the head's product is better left to propagation: with all products annotated the step
// takes a quarter longer.
//
// RUN: tess plan %S/mistakes/head_right.mlir --target v5p --devices 16 --keep none --tactic 'fsdp over data' \
// RUN:   | FileCheck %s
// CHECK: mesh data=16
// CHECK: {{^ +}}fsdp over data; arguments and sums only
//
// The search takes that in, and is not slower:
//
// RUN: tess plan %S/mistakes/head_right.mlir --target v5p --devices 16 --keep none --mesh 'data=16' \
// RUN:   --tactic 'fsdp over data' --json > %t.tactic.json
// RUN: tess plan %S/mistakes/head_right.mlir --target v5p --devices 16 --keep none --json > %t.json
// RUN: %python %S/not_slower.py %t.json %t.tactic.json
