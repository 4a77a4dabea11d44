// RUN: tess eval %s --quiet
// Windows with strides, padding and dilations; a window that is a running sum.

func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %pairs = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>,
      window_strides = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %pairs, dense<[3, 7, 5]> : tensor<3xi32>

  // base dilation 2 gives 1 . 2 . 3 . 4 . 5; windows of two with a hole between
  %apart = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>,
      base_dilations = array<i64: 2>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<7xi32>
  check.expect_eq_const %apart, dense<[3, 0, 5, 0, 7, 0, 9]> : tensor<7xi32>

  %running = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 5>,
      padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %running, dense<[1, 3, 6, 10, 15]> : tensor<5xi32>

  %back = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 5>,
      padding = dense<[[0, 4]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %back, dense<[15, 14, 12, 9, 5]> : tensor<5xi32>
  return
}
