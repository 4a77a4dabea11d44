// RUN: tess eval %s --quiet
// Two processes send each other pieces of different lengths (the example of JAX's documentation), once with
// rows of one element and once with rows of two; two slices for each device; a piece of no rows.

func.func @exchange(%x: tensor<3xi32>, %in: tensor<2xi32>, %sizes: tensor<2xi32>, %out: tensor<2xi32>, %recv: tensor<2xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %r = stablehlo.custom_call @ragged_all_to_all(%x, %zero, %in, %sizes, %out, %recv) {api_version = 4 : i32,
      backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} :
      (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  %x1 = stablehlo.constant dense<[3, 4, 0]> : tensor<3xi32>
  %in = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %sizes0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %sizes1 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %out0 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %out1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %recv0 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %recv1 = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %r:2 = "interpreter.run_parallel"(%x0, %in, %sizes0, %out0, %recv0, %x1, %in, %sizes1, %out1, %recv1) {
      programs = [[@exchange], [@exchange]]} :
      (tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
       tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %r#0, dense<[1, 3, 0, 0]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<[2, 2, 4, 0]> : tensor<4xi32>
  func.call @rows() : () -> ()
  return
}

func.func @exchange_rows(%x: tensor<4x2xf32>, %y: tensor<5x2xf32>, %in: tensor<4xi64>, %sizes: tensor<4xi64>, %out: tensor<4xi64>) -> tensor<5x2xf32> {
  %r = stablehlo.custom_call @ragged_all_to_all(%x, %y, %in, %sizes, %out, %sizes) {api_version = 4 : i32,
      backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} :
      (tensor<4x2xf32>, tensor<5x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
func.func private @rows() {
  %x0 = stablehlo.constant dense<[[1.0, 1.5], [2.0, 2.5], [3.0, 3.5], [4.0, 4.5]]> : tensor<4x2xf32>
  %x1 = stablehlo.constant dense<[[-1.0, -1.5], [-2.0, -2.5], [-3.0, -3.5], [-4.0, -4.5]]> : tensor<4x2xf32>
  %y = stablehlo.constant dense<9.0> : tensor<5x2xf32>
  // The first two pieces of each go to process 0, the others to process 1.
  %in = stablehlo.constant dense<[3, 0, 1, 2]> : tensor<4xi64>
  %sizes = stablehlo.constant dense<[1, 1, 2, 0]> : tensor<4xi64>
  %out0 = stablehlo.constant dense<[0, 4, 0, 2]> : tensor<4xi64>
  %out1 = stablehlo.constant dense<[2, 1, 3, 0]> : tensor<4xi64>
  %r:2 = "interpreter.run_parallel"(%x0, %y, %in, %sizes, %out0, %x1, %y, %in, %sizes, %out1) {
      programs = [[@exchange_rows, @exchange_rows]]} :
      (tensor<4x2xf32>, tensor<5x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>,
       tensor<4x2xf32>, tensor<5x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<5x2xf32>, tensor<5x2xf32>)
  check.expect_eq_const %r#0, dense<[[4.0, 4.5], [-1.0, -1.5], [-4.0, -4.5], [9.0, 9.0], [1.0, 1.5]]> : tensor<5x2xf32>
  check.expect_eq_const %r#1, dense<[[2.0, 2.5], [3.0, 3.5], [9.0, 9.0], [-2.0, -2.5], [-3.0, -3.5]]> : tensor<5x2xf32>
  return
}
