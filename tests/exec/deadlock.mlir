// RUN: ! tess eval %s 2>&1 | FileCheck %s
// Two programs that wait for each other wait for ever, which is an error.

module {
  func.func @first() -> tensor<i64> {
    %token = stablehlo.create_token : !stablehlo.token
    %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    %1 = "stablehlo.send"(%0#0, %0#1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<i64>, !stablehlo.token) -> !stablehlo.token
    return %0#0 : tensor<i64>
  }
  func.func @second() -> tensor<i64> {
    %token = stablehlo.create_token : !stablehlo.token
    // CHECK: deadlock.mlir:[[#@LINE+1]]:{{.*}}stablehlo.recv: device 1 waits for a message that nobody sends
    %0:2 = "stablehlo.recv"(%token) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    %1 = "stablehlo.send"(%0#0, %0#1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<i64>, !stablehlo.token) -> !stablehlo.token
    return %0#0 : tensor<i64>
  }
  func.func @main() -> (tensor<i64>, tensor<i64>) {
    %0:2 = "interpreter.run_parallel"() <{programs = [[@first, @second]]}> : () -> (tensor<i64>, tensor<i64>)
    return %0#0, %0#1 : tensor<i64>, tensor<i64>
  }
}
