// RUN: tess opt %s -split-input-file -verify-diagnostics
// Control flow, tuples and tokens.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @create_token() {
  // expected-error@+1 {{result 0 is tuple<>, expected a token}}
  %r = "stablehlo.create_token"() : () -> tuple<>
  return
}

// -----

func.func @get_tuple_element(%0: tuple<tensor<1x3x3xi4>, tensor<f32>>) {
  // expected-error@+1 {{attribute 'index' is 2, expected a number in [0, 2)}}
  %r = "stablehlo.get_tuple_element"(%0) <{index = 2 : i32}> : (tuple<tensor<1x3x3xi4>, tensor<f32>>) -> tensor<1x3x3xi4>
  return
}

// -----

func.func @if(%0: tensor<1xi1>) {
  // expected-error@+1 {{has a predicate tensor<1xi1>, expected a scalar (I1)}}
  %r = "stablehlo.if"(%0) ({
    %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.return"(%3) : (tensor<4xf32>) -> ()
  }, {
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    "stablehlo.return"(%2) : (tensor<4xf32>) -> ()
  }) : (tensor<1xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @infeed(%0: !stablehlo.token) {
  // expected-error@+1 {{must give a token as its last result (C1)}}
  %r:2 = "stablehlo.infeed"(%0) <{layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, i32)
  return
}

// -----

func.func @optimization_barrier(%0: tensor<4xindex>) {
  // expected-error@+1 {{operand 0 is tensor<4xindex>, expected a tensor}}
  %r = "stablehlo.optimization_barrier"(%0) : (tensor<4xindex>) -> tensor<4xf32>
  return
}

// -----

func.func @recv_1(%0: !stablehlo.token) {
  // expected-error@+1 {{has channel type 3, expected 1 (C1)}}
  %r:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_2(%0: !stablehlo.token) {
  // expected-error@+1 {{must give a token as its last result (C4)}}
  %r:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, i32)
  return
}

// -----

func.func @tuple(%0: tensor<f32>) {
  // expected-error@+1 {{result 0 is tuple<tensor<f64>>, but its operands and attributes make tuple<tensor<f32>>}}
  %r = "stablehlo.tuple"(%0) : (tensor<f32>) -> tuple<tensor<f64>>
  return
}

// -----

func.func @while(%0: tensor<i1>) {
  // expected-error@+1 {{has a condition whose argument 0 is tensor<i64>, expected tensor<i1>}}
  %r = "stablehlo.while"(%0) ({
  ^bb0(%arg1: tensor<i64>):
    %2 = "stablehlo.compare"(%arg1, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<i64>):
    "stablehlo.return"(%arg0) : (tensor<i64>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return
}
