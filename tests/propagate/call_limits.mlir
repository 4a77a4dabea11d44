// Calls that nest deeper than text that can be read, or make too many copies, are refused at once.
// RUN: %python %S/Inputs/calls.py 60 > %t.wide
// RUN: (! tess opt %t.wide -sdy-import-func-calls 2>&1) | FileCheck %s --check-prefix=WIDE
// WIDE: error[E0502]: one copy of each function for each call makes more than 20000000 operations
// RUN: %python %S/Inputs/calls.py 60 2 composite main > %t.composites
// RUN: (! tess report %t.composites 2>&1) | FileCheck %s --check-prefix=REPORT
// RUN: (! tess lint %t.composites 2>&1) | FileCheck %s --check-prefix=REPORT
// RUN: (! tess verify %t.composites 2>&1) | FileCheck %s --check-prefix=VERIFY
// VERIFY: error[E0701]: with the functions in place of their calls the program has more than 4194304 operations
// REPORT: error[E0931]: with the functions in place of their calls the program has more than 4194304 operations
// RUN: %python %S/Inputs/calls.py 20000 1 main > %t.deep
// RUN: (! tess opt %t.deep -sdy-import-func-calls 2>&1) | FileCheck %s --check-prefix=DEEP
// RUN: (! tess verify %t.deep 2>&1) | FileCheck %s --check-prefix=DEEP
// DEEP: error[E0501]: calls are nested more than 256 deep
// DEEP-NEXT: call @f19744() : () -> ()
// RUN: %python %S/Inputs/calls.py 20000 1 composite main > %t.nested
// RUN: (! tess verify %t.nested 2>&1) | FileCheck %s --check-prefix=NESTED
// NESTED: error[E0603]: calls are nested more than 256 deep
// A program that nests as deep as it may goes on.
// RUN: %python %S/Inputs/calls.py 250 1 main > %t.good
// RUN: tess verify %t.good
