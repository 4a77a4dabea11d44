// RUN: tess eval %s --quiet
// Cumulative sums: forwards and backwards, along the last dimension and along others, longer
// than what is done at a time.  Expected values by arithmetic: 1 + 2 + … + n = n (n + 1) / 2.

func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.iota dim = 1 : tensor<70x600xi32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 600>, padding = dense<[[0, 0], [599, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<70x600xi32>, tensor<i32>) -> tensor<70x600xi32>
  %one = stablehlo.constant dense<1> : tensor<70x600xi32>
  %two = stablehlo.constant dense<2> : tensor<70x600xi32>
  %next = stablehlo.add %x, %one : tensor<70x600xi32>
  %twice = stablehlo.multiply %x, %next : tensor<70x600xi32>
  %want = stablehlo.divide %twice, %two : tensor<70x600xi32>
  check.expect_eq %0, %want : tensor<70x600xi32>

  // Backwards: the whole, 600 * 599 / 2, less what is before.
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 600>, padding = dense<[[0, 0], [0, 599]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<70x600xi32>, tensor<i32>) -> tensor<70x600xi32>
  %all = stablehlo.constant dense<179700> : tensor<70x600xi32>
  %more = stablehlo.add %1, %want : tensor<70x600xi32>
  %less = stablehlo.subtract %more, %x : tensor<70x600xi32>
  check.expect_eq %less, %all : tensor<70x600xi32>

  // The same along the first dimension, in rows.
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<70x600xi32>) -> tensor<600x70xi32>
  %2 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 600, 1>, padding = dense<[[599, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<600x70xi32>, tensor<i32>) -> tensor<600x70xi32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<600x70xi32>) -> tensor<70x600xi32>
  check.expect_eq %3, %want : tensor<70x600xi32>
  %4 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 600, 1>, padding = dense<[[0, 599], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<600x70xi32>, tensor<i32>) -> tensor<600x70xi32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<600x70xi32>) -> tensor<70x600xi32>
  check.expect_eq %5, %1 : tensor<70x600xi32>
  return
}
