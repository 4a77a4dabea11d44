// A tensor's type may have a comma with no encoding behind it, as in MLIR; a vector's may not.
// RUN: tess opt %s | FileCheck %s
// CHECK: func.func private @f(tensor<4xi32>)
func.func private @f(tensor<4xi32,>)
// RUN: (! (echo "func.func private @f(vector<4xi32,>)" | tess opt -) 2>&1) | FileCheck %s --check-prefix=VECTOR
// VECTOR: error[E0100]
