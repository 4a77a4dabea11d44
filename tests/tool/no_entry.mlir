// What is to be evaluated must be said where there is no @main, and must have a body.
// RUN: echo 'func.func private @f(tensor<2xf32>)' > %t.none
// RUN: (! tess eval %t.none 2>&1) | FileCheck %s --check-prefix=NONE
// NONE: .none:1:1: error[E0004]: there is no function to run: the module has none with a body
// RUN: (! tess eval %s 2>&1) | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: no_entry.mlir:1:1: error[E0004]: there is no @main, and not exactly one public function to run; there are @f, @g
// RUN: (! tess eval %s --function h 2>&1) | FileCheck %s --check-prefix=OTHER
// OTHER: error[E0004]: there is no function @h with a body; there are @f, @g
// RUN: tess eval %s --function g | FileCheck %s
// CHECK: 7
func.func @f() -> tensor<i32> {
  %0 = stablehlo.constant dense<5> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @g() -> tensor<i32> {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  return %0 : tensor<i32>
}
