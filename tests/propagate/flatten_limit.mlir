// Copies beyond the limit are not begun: named is the call that is one too many, callees first, not
// the one that was copied last.  What calls down through n levels becomes 6 * 2^n - 4 operations,
// so @f38 of 60 levels is the first that is too large.
// RUN: %python %S/Inputs/calls.py 60 > %t
// RUN: (! tess opt %t -sdy-flatten-call-graph 2>&1) | FileCheck %s

// CHECK: :193:3: error[E0502]: one copy of each function for each call makes more than 20000000 operations
// CHECK-NEXT: call @f39() : () -> ()
