// RUN: tess opt %s | FileCheck %s
// RUN: tess opt %s | tess opt - | FileCheck %s
// Attributes print as MLIR prints them: in lists, i64 and f64 go without saying.

// CHECK: module attributes {
// CHECK-SAME: t.a = 1.500000e+00 : f64,
// CHECK-SAME: t.b = [1, 2.000000e+00, 3 : i32, 4.000000e+00 : f32, 0x7FF8000000000000 : f64],
// CHECK-SAME: t.c = {x = 1 : i64, y = {{\[\[}}2], {z = 3 : i64}]},
// CHECK-SAME: t.d = [true, unit, i32, "a\22b", @f::@"g h"],
// CHECK-SAME: t.e = array<i1: true, false>,
// CHECK-SAME: t.f = dense<(1.000000e+00,-2.000000e+00)> : tensor<1xcomplex<f32>>,
// CHECK-SAME: t.g = #stablehlo<precision HIGH>,
// CHECK-SAME: t.h = 1 : index, t.i = -1 : si8, t.j = 255 : ui8,
// CHECK-SAME: t.k = !quant.uniform<i8:f32, 0x42E35865529EBCE0:-1>,
// CHECK-SAME: t.l = array<i24: 1, -2>,
// CHECK-SAME: t.m = !quant.uniform<i8:f32:{0:1, 1:2}, {1.000000e+00, 2.000000e+00}>}
module attributes {
  t.a = 1.5, t.b = [1, 2.0, 3 : i32, 4.0 : f32, 0x7FF8000000000000 : f64],
  t.c = {y = [[2], {z = 3}], x = 1}, t.d = [true, unit, i32, "a\22b", @f::@"g h"],
  t.e = array<i1: true, false>, t.f = dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>,
  t.g = #stablehlo<precision HIGH>, t.h = 1 : index, t.i = -1 : si8, t.j = 255 : ui8,
  t.k = !quant.uniform<i8:f32, 170163023705575.0:-1>, t.l = array<i24: 1,- 2>,
  t.m = !quant.uniform<i8:f32:{0:1, 1:2}, {1.0, 2.0}>} {
}
