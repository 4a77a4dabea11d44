// RUN: tess opt %s -split-input-file -verify-diagnostics
// RUN: (tess opt %S/Inputs/branches.mlir -canonicalize; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED -DWHO=canonicalize
// RUN: (tess shard %S/Inputs/branches.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED -DWHO=
// RUN: (tess partition %S/Inputs/branches.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED -DWHO=
// RUN: (tess run %S/Inputs/branches.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED -DWHO=
// RUN: (tess eval %S/Inputs/branches.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED -DWHO=
// RUN: tess opt %S/Inputs/branches.mlir -symbol-dce | FileCheck %s --check-prefix=KEPT
// REFUSED: branches.mlir:1:1: error[E0309]: 'func.func' op: control goes from block to block in its body; [[WHO]]
// REFUSED: status 1
// KEPT: cf.br ^bb1(%arg0 : tensor<f32>)

func.func @entry() {
^bb0:
  return
^bb1:
  cf.br ^bb1
}

// -----

func.func @to_entry() {
^bb0:
  cf.br ^bb1
^bb1:
  // expected-error@+1 {{branches to the entry of its region}}
  cf.br ^bb0
}

// -----

func.func @no_end() {
  cf.br ^bb1
^bb1:
  // expected-error@+1 {{each of its blocks must end in a return or in a branch}}
  %0 = arith.constant 1 : i32
}

// -----

func.func @not_a_branch(%a: tensor<f32>) {
  // expected-error@+2 {{each of its blocks must end}}
  // expected-error@+1 {{'stablehlo.negate' op has 1 successors, expected none}}
  %0 = "stablehlo.negate"(%a)[^bb1] : (tensor<f32>) -> tensor<f32>
^bb1:
  return
}

// -----

func.func @structured(%c: tensor<i1>) {
  // expected-error@+1 {{has several blocks in region 0, expected one}}
  "stablehlo.if"(%c) ({
    cf.br ^bb1
  ^bb1:
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @middle(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'func.return' op must end its block}}
  return %a : tensor<f32>
  return %a : tensor<f32>
}
