// RUN: tess opt %s -split-input-file -verify-diagnostics
// Regions that do not fit their operation.
// StableHLO's verifier refuses each of these too, but for an odd number of operands; C and I are
// its specification's constraints.

func.func @while_arguments(%a: tensor<i32>) {
  // expected-error@+1 {{has a condition with 0 arguments, expected 1}}
  %r = "stablehlo.while"(%a) ({
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_body_arguments(%a: tensor<i32>) {
  // expected-error@+1 {{has a body with 2 arguments, expected 1}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>, %c: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_body_returns(%a: tensor<i32>) {
  // expected-error@+1 {{has a body that returns 2 values, expected 1}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b, %b : tensor<i32>, tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_body_types(%a: tensor<i32>) {
  // expected-error@+1 {{has a body that returns tensor<f32> as value 0, expected tensor<i32>}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    %f = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %f : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_two_conditions(%a: tensor<i32>) {
  // expected-error@+1 {{has a condition that must return one scalar i1}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t, %t : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_condition_of_numbers(%a: tensor<i32>) {
  // expected-error@+1 {{has a condition that must return one scalar i1}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_condition_of_rank_1(%a: tensor<1xi1>) {
  // expected-error@+1 {{has a condition that must return one scalar i1}}
  %r = "stablehlo.while"(%a) ({
  ^bb0(%b: tensor<1xi1>):
    stablehlo.return %b : tensor<1xi1>
  }, {
  ^bb0(%b: tensor<1xi1>):
    stablehlo.return %b : tensor<1xi1>
  }) : (tensor<1xi1>) -> tensor<1xi1>
  return
}

// -----

func.func @if_with_arguments(%p: tensor<i1>, %a: tensor<i32>) {
  // expected-error@+1 {{has a branch 1 with arguments, expected none}}
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_returns_too_much(%p: tensor<i1>, %a: tensor<i32>) {
  // expected-error@+1 {{has a branch 1 that returns 2 values, but the op has 1}}
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %a, %a : tensor<i32>, tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_types_differ(%p: tensor<i1>, %a: tensor<i32>, %c: tensor<f32>) {
  // expected-error@+1 {{has branches that return tensor<i32> and tensor<f32> as value 0}}
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %c : tensor<f32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_predicate_of_rank_1(%p: tensor<2xi1>, %a: tensor<i32>) {
  // expected-error@+1 {{has a predicate tensor<2xi1>, expected a scalar (I1)}}
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<2xi1>) -> tensor<i32>
  return
}

// -----

func.func @case_without_branches(%p: tensor<i32>) {
  // expected-error@+1 {{has no branch}}
  %r = "stablehlo.case"(%p) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @case_with_arguments(%p: tensor<i32>, %a: tensor<i32>) {
  // expected-error@+1 {{has a branch 0 with arguments, expected none}}
  %r = "stablehlo.case"(%p) ({
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @reduce_odd(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has 3 operands, expected}}
  %r = "stablehlo.reduce"(%a, %z, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_arguments(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a reducer with 1 arguments, expected 2}}
  %r = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_returns_nothing(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a reducer that returns 0 values, expected 1}}
  %r = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_returns_a_token(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a reducer that returns !stablehlo.token, expected a tensor}}
  %r = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = "stablehlo.after_all"() : () -> !stablehlo.token
    stablehlo.return %t : !stablehlo.token
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_returns_other_types(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a reducer with arguments tensor<f32> and tensor<f32> that returns tensor<f64>}}
  %r = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.convert %x : (tensor<f32>) -> tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_results(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has 2 results for 1 inputs}}
  %r:2 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_window_results(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has 2 results for 1 inputs}}
  %r:2 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @reduce_window_padding(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{attribute 'padding'}}
  %r = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @select_arguments(%a: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a select with 1 arguments, expected 2}}
  %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_returns_numbers(%a: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a select that must return one scalar i1}}
  %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_returns_a_vector(%a: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a select that must return one scalar i1}}
  %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.constant dense<true> : tensor<1xi1>
    stablehlo.return %t : tensor<1xi1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_result_elements(%a: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{has a result tensor<4xf64> for an operand tensor<4xf32> (C11)}}
  %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_arguments(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a comparator with 1 arguments, expected 2}}
  %r = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_returns_two(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a comparator that must return one scalar i1}}
  %r = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t, %t : tensor<i1>, tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_returns_numbers(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a comparator that must return one scalar i1}}
  %r = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_below_the_first_dimension(%a: tensor<4xf32>) {
  // expected-error@+1 {{sorts along dimension -2, but its inputs have rank 1 (C4)}}
  %r = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_arguments(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a computation with 2 arguments, expected 1}}
  %r = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_returns_two(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a computation that must return one scalar}}
  %r = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_returns_a_vector(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a computation that returns tensor<1xf32>, expected a scalar}}
  %r = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    %v = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
    stablehlo.return %v : tensor<1xf32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_shape(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a result tensor<5xf32> for a computation that returns tensor<f32> (C4)}}
  %r = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @function_in_a_function() {
  // expected-error@+1 {{must be in a module, not in 'func.func'}}
  func.func private @g() -> i32
  return
}

// -----

func.func @function_in_a_branch(%p: tensor<i1>) {
  "stablehlo.if"(%p) ({
    // expected-error@+1 {{must be in a module, not in 'stablehlo.if'}}
    func.func @g() {
      return
    }
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @mesh_in_a_function() {
  // expected-error@+1 {{must be in a module, not in 'func.func'}}
  sdy.mesh @mesh = <["x"=2]>
  return
}

// -----

func.func @module_in_a_function() {
  // expected-error@+1 {{must be in a module, not in 'func.func'}}
  builtin.module @inner {
  }
  return
}

// -----

// A module needs no name.
func.func @nameless_module_in_a_function() {
  builtin.module {
    func.func @g() {
      return
    }
  }
  return
}
