// RUN: tess opt %s -split-input-file -verify-diagnostics
// What runs beside the program: async_start and async_done, sends and receives.

func.func @fine(%a: tensor<4xf32>, %t: !stablehlo.token) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %r = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %r : tensor<8xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  %2 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %1, %3#0 : tensor<8xf32>, tensor<4xf32>
}

// -----

func.func @two_operations(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a body that is not one op and a return}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %q = stablehlo.negate %b : tensor<4xf32>
    %r = "stablehlo.all_gather"(%q) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %r : tensor<8xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}

// -----

func.func @not_asynchronous(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a body of stablehlo.negate, expected a collective or a slice}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %r = stablehlo.negate %b : tensor<4xf32>
    stablehlo.return %r : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @arguments(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a body with 1 arguments for 2 operands}}
  %0 = "stablehlo.async_start"(%a, %a) ({
  ^bb0(%b: tensor<4xf32>):
    %r = stablehlo.slice %b [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @argument_type(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a body whose argument 0 is tensor<4xi32>, expected tensor<4xf32>}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xi32>):
    %r = stablehlo.slice %b [0:2] : (tensor<4xi32>) -> tensor<2xi32>
    stablehlo.return %r : tensor<2xi32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xi32>>
  return
}

// -----

func.func @returned(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a body that returns 2 values, expected 1}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %r = stablehlo.slice %b [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %r, %r : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @result(%a: tensor<4xf32>) {
  // expected-error@+1 {{make !stablehlo.future<tensor<2xf32>>}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<4xf32>):
    %r = stablehlo.slice %b [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @waits_for_a_tensor(%a: tensor<4xf32>) {
  // expected-error@+1 {{tensor<4xf32>}}
  %0 = "stablehlo.async_done"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @waits_for_two(%a: !stablehlo.future<tensor<4xf32>>) {
  // expected-error@+1 {{waits for !stablehlo.future<tensor<4xf32>>, expected a future of 2 values}}
  %0:2 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @waits_for_another(%a: !stablehlo.future<tensor<4xf32>>) {
  // expected-error@+1 {{result 0 is tensor<8xf32>, but its operands and attributes make tensor<4xf32>}}
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4xf32>>) -> tensor<8xf32>
  return
}

// -----

func.func @send_to_host(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{has channel type 3, expected 2}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_to_device(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{has channel type 2, expected 1}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_from_host(%t: !stablehlo.token) {
  // expected-error@+1 {{has channel type 2, expected 3}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_token(%t: !stablehlo.token) {
  // expected-error@+1 {{must give a token as its last result}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @recv_of_a_token(%t: !stablehlo.token) {
  // expected-error@+1 {{receives !stablehlo.token, expected a tensor}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
