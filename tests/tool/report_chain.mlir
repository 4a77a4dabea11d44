// A kernel may be a chain of as many operations as the program has: none of them is a call on the stack.
// RUN: %python %S/Inputs/chain.py 100000 > %t.mlir
// RUN: tess report %t.mlir --target h100x8 | FileCheck %s
// RUN: tess report %t.mlir --target cpu | FileCheck %s
// CHECK: a step takes
