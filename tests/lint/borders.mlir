// Programs just inside and just outside of what findings are about.
// RUN: %python %S/borders.py tess

// RUN: tess lint %s | FileCheck %s
// CHECK: nothing found
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
