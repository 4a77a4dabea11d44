// What is inside as many regions as can be read counts, in time and in memory (2 x 64^3 FLOPs; 16,384 bytes of %x, and
// of the result).

// RUN: %python %S/nested.py 250 > %t.mlir
// RUN: tess report %t.mlir --target h100x8 --json | FileCheck %s
// RUN: tess report %t.mlir --target cpu --json | FileCheck %s
// CHECK-DAG: "flops": 524288
// CHECK-DAG: "peak": 32{{[0-9][0-9][0-9]}}
