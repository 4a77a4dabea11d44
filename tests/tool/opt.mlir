// `tess opt`: spelling of passes, dumps, splitting, expected diagnostics.
// RUN: tess opt %s -split-input-file -canonicalize --cse | FileCheck %s
// RUN: tess opt %s -split-input-file --pass-pipeline='builtin.module(canonicalize,func.func(cse))' | FileCheck %s
// RUN: tess opt %s -split-input-file -cse --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: tess opt --list-passes | FileCheck %s --check-prefix=LIST
// RUN: (tess opt %s -split-input-file -verify-diagnostics; echo status $?) 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: (tess opt %s -split-input-file -sdy-close-shardings='x=1'; echo status $?) 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: (! tess opt %s -split-input-file -sdy-basic-propagate=order=fast 2>&1) | FileCheck %s --check-prefix=WORD
// RUN: (! tess opt %s -split-input-file -sdy-basic-propagate=more-rules=7 2>&1) | FileCheck %s --check-prefix=FLAG
// WORD: order must be one of sdy|canonical, not 'fast'
// FLAG: more-rules must be true or false, not '7'

// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: %0 = stablehlo.abs %arg0
  // CHECK-NEXT: %1 = stablehlo.add %0, %0
  // CHECK-NEXT: return %1
  %0 = stablehlo.abs %a : tensor<2xf32>
  %1 = stablehlo.abs %a : tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK: // -----
// -----

// CHECK-LABEL: func.func @other
func.func @other() {
  // CHECK-NEXT: return
  return
}

// DUMP: IR Dump After cse
// DUMP: IR Dump After cse

// LIST: sdy-basic-propagate
// LIST: conservative-propagation=false
// LIST: sdy-propagation-pipeline (pipeline)

// expected-error @+1 {{never said}}
// WRONG: opt.mlir:[[@LINE-1]]:1: error[E0901]: expected error "never said" was not produced
// WRONG: status 1

// OPTION: pipeline:1:21: error[E0900]: sdy-close-shardings has no option 'x'
// OPTION: status 2
