// A program that is too large with the functions in place of their calls is refused by its size.
// RUN: %python %S/../propagate/Inputs/calls.py 60 > %t
// RUN: (! tess eval %t --function f0 2>&1) | FileCheck %s

// CHECK: error[E0701]: with the functions in place of their calls the program has more than 4194304 operations
