// RUN: tess opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect
// Values are there before they are used.

func.func @later(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.add' op operand 0 is defined later}}
  %1 = stablehlo.add %0, %a : tensor<f32>
  // expected-note@+1 {{defined here}}
  %0 = stablehlo.negate %a : tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @itself(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.add' op operand 0 is its own result}}
  %0 = stablehlo.add %0, %a : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @inside(%c: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{defined here}}
  %0 = "stablehlo.if"(%c) ({
    // expected-error@+1 {{'stablehlo.return' op operand 0 is its own result, or that of an op around it}}
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @region(%c: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%c) ({
    // expected-error@+1 {{'stablehlo.return' op operand 0 is defined later}}
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // expected-note@+1 {{defined here}}
  %1 = stablehlo.negate %a : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// One of two ways leads past the definition.
func.func @diamond(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  // expected-note@+1 {{defined here}}
  %0 = arith.addi %a, %a : i32
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  // expected-error@+1 {{'func.return' op operand 0 is not defined on every path that leads here}}
  return %0 : i32
}

// -----

// The order in the text does not matter, nor does what is not reached.
func.func @fine(%p: i1, %a: i32) -> i32 {
  cf.br ^bb3
^bb1:
  %1 = arith.addi %0, %a : i32
  cf.cond_br %p, ^bb4, ^bb1
^bb2:
  %2 = arith.addi %1, %a : i32
  cf.br ^bb2
^bb3:
  %0 = arith.addi %a, %a : i32
  %3 = scf.if %p -> (i32) {
    scf.yield %0 : i32
  } else {
    scf.yield %a : i32
  }
  cf.br ^bb1
^bb4:
  return %1 : i32
}

// -----

// Order does not matter in what may be a graph.
"test.graph"() ({
  %0 = "test.op"(%1) : (i32) -> i32
  %1 = "test.op"(%0) : (i32) -> i32
}) : () -> ()
