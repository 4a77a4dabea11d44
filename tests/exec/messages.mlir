// RUN: tess eval %s --quiet
// Programs on several devices that send each other messages, and one that is fed from outside.

module {
  func.func @feed0() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @feed1() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[30, 40]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @fed() -> (tensor<2xi64>, tensor<2xi64>) {
    %token = stablehlo.create_token : !stablehlo.token
    %0:2 = "stablehlo.infeed"(%token) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%0#0, %1#1) <{outfeed_config = ""}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    return %0#0, %1#0 : tensor<2xi64>, tensor<2xi64>
  }
  func.func @sender(%a: tensor<2xi64>) -> tensor<2xi64> {
    %token = stablehlo.create_token : !stablehlo.token
    %0 = "stablehlo.send"(%a, %token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    return %1#0 : tensor<2xi64>
  }
  // Waits for the message, and sends twice of it back.
  func.func @receiver(%b: tensor<2xi64>) -> tensor<2xi64> {
    %token = stablehlo.create_token : !stablehlo.token
    %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %1 = stablehlo.add %0#0, %0#0 : tensor<2xi64>
    %2 = "stablehlo.send"(%1, %0#1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    %3 = stablehlo.subtract %1, %b : tensor<2xi64>
    return %3 : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
    %b = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
    %0:2 = "interpreter.run_parallel"(%b, %a) <{programs = [[@receiver, @sender]]}> : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %0#0, dense<[9, 11]> : tensor<2xi64>
    check.expect_eq_const %0#1, dense<[10, 12]> : tensor<2xi64>
    %1:2 = "interpreter.run_parallel"() <{infeed = [@feed0, @feed1], programs = [[@fed]]}> : () -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %1#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %1#1, dense<[30, 40]> : tensor<2xi64>
    return
  }
}
