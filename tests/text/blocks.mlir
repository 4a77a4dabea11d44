// RUN: tess opt %s | FileCheck %s
// RUN: tess opt %s | tess opt - | FileCheck %s
// RUN: tess opt -mlir-print-op-generic %s | tess opt - | FileCheck %s
// Control flow of cf and scf, functions as values, and what else programs borrow.

// CHECK: func.func private @g() -> i32
// CHECK: func.func @f(%arg0: tensor<f32>, %arg1: i1, %arg2: i32, %arg3: index) -> tensor<f32> {
// CHECK: cf.assert %arg1, "no"
// CHECK: cf.cond_br %arg1 weights([1, 2]), ^bb2, ^bb1(%arg0 : tensor<f32>)
// CHECK: ^bb1(%0: tensor<f32>):  // 4 preds: ^bb0, ^bb1, ^bb2, ^bb2
// CHECK: cf.br ^bb1(%0 : tensor<f32>) {foo}
// CHECK: ^bb2:  // pred: ^bb0
// CHECK: %1 = stablehlo.negate %arg0 : tensor<f32>
// CHECK: cf.switch %arg2 : i32, [
// CHECK: default: ^bb1(%1 : tensor<f32>),
// CHECK: 4294967295: ^bb3,
// CHECK: 7: ^bb1(%arg0 : tensor<f32>)
// CHECK: ]
// CHECK: ^bb3:  // pred: ^bb2
// CHECK: %f = constant @g : () -> i32
// CHECK: %2 = call_indirect %f() : () -> i32
// CHECK: %3 = arith.cmpi slt, %2, %arg2 : i32
// CHECK: %4 = arith.select %3, %2, %arg2 : i32
// CHECK: %5 = tensor.empty(%arg3) : tensor<?xf32>
// CHECK: %6 = tensor.empty() : tensor<3xf32>
// CHECK: %cst = arith.constant 2.000000e+00 : f32
// CHECK: %7 = arith.addf %cst, %cst fastmath<nnan,ninf> : f32
// CHECK: %8 = arith.cmpf oeq, %cst, %7 : f32
// CHECK: %9 = arith.addi %arg2, %arg2 overflow<nsw> {x} : i32
// CHECK: %inserted = tensor.insert %7 into %6[%arg3] : tensor<3xf32>
// CHECK: %10 = shape.const_shape [1, 2, 3] : tensor<3xindex>
// CHECK: %11 = shape.cstr_broadcastable %10, %10 : tensor<3xindex>, tensor<3xindex>
// CHECK: %12 = shape.assuming %11 -> (f32) {
// CHECK: shape.assuming_yield %7 : f32
// CHECK: scf.for %arg4 = %arg3 to %arg3 step %arg3 {
// CHECK: %16 = func.call @g() : () -> i32
// CHECK: scf.for %arg4 = %arg2 to %arg2 step %arg2  : i32 {
// CHECK: %13 = scf.for %arg4 = %arg3 to %arg3 step %arg3 iter_args(%arg5 = %7) -> (f32) {
// CHECK: scf.yield %arg5 : f32
// CHECK: scf.if %arg1 {
// CHECK: cf.assert %arg1, "a\22b"
// CHECK: } else {
// CHECK: scf.if %arg1 {
// CHECK: %14:2 = scf.if %arg1 -> (f32, i32) {
// CHECK: scf.yield %7, %arg2 : f32, i32
// CHECK: } else {
// CHECK: scf.yield %12, %arg2 : f32, i32
// CHECK: %15 = scf.while (%arg4 = %7) : (f32) -> i32 {
// CHECK: scf.condition(%arg1) %arg2 : i32
// CHECK: } do {
// CHECK: ^bb0(%arg4: i32):
// CHECK: scf.yield %7 : f32
// CHECK: scf.while : () -> () {
// CHECK: scf.condition(%arg1)
// CHECK: } do {
// CHECK: scf.yield
// CHECK: return %arg0 : tensor<f32>

func.func private @g() -> i32
func.func @f(%a: tensor<f32>, %p: i1, %i: i32, %n: index) -> tensor<f32> {
  cf.assert %p, "no"
  cf.cond_br %p weights([1, 2]), ^bb2, ^bb1(%a : tensor<f32>)
^bb1(%x: tensor<f32>):
  cf.br ^bb1(%x : tensor<f32>) {foo}
^bb2:
  %z = stablehlo.negate %a : tensor<f32>
  cf.switch %i : i32, [
    default: ^bb1(%z : tensor<f32>),
    -1: ^bb3,
    7: ^bb1(%a: tensor<f32>)
  ]
^bb3:
  %c = constant @g : () -> i32
  %r = call_indirect %c() : () -> i32
  %l = arith.cmpi slt, %r, %i : i32
  %s = arith.select %l, %r, %i : i32
  %t = tensor.empty(%n) : tensor<?xf32>
  %t2 = tensor.empty() : tensor<3xf32>
  %cc = arith.constant 2.0 : f32
  %ff = arith.addf %cc, %cc fastmath<nnan,ninf> : f32
  %gg = arith.cmpf oeq, %cc, %ff : f32
  %ii = arith.addi %i, %i overflow<nsw> {x} : i32
  %ins = tensor.insert %ff into %t2[%n] : tensor<3xf32>
  %sh = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %w = shape.cstr_broadcastable %sh, %sh : tensor<3xindex>, tensor<3xindex>
  %as = shape.assuming %w -> (f32) {
    shape.assuming_yield %ff : f32
  }
  scf.for %k = %n to %n step %n {
    func.call @g() : () -> i32
  }
  scf.for %k = %i to %i step %i : i32 {
  }
  %fo = scf.for %k = %n to %n step %n iter_args(%q = %ff) -> f32 {
    scf.yield %q : f32
  }
  scf.if %p {
    cf.assert %p, "a\"b"
  } else {
  }
  scf.if %p {
  }
  %iff:2 = scf.if %p -> (f32, i32) { scf.yield %ff, %i : f32, i32 } else { scf.yield %as, %i : f32, i32 }
  %wh = scf.while (%q = %ff) : (f32) -> i32 {
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%u: i32):
    scf.yield %ff : f32
  }
  scf.while : () -> () {
    scf.condition(%p)
  } do {
    scf.yield
  }
  return %a : tensor<f32>
}
