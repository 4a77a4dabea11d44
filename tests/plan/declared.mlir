// A module without a body to plan.
// RUN: (! tess plan %s --devices 8 2>&1) | FileCheck %s
// CHECK: declared.mlir:1:1: error[E0906]: there is nothing to plan: the program has no @main

func.func private @outside(tensor<8xf32>) -> tensor<8xf32>
