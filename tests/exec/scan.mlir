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

  // A body of several operations that does not commute: the last element that is not 0.  Each output
  // costs one step, not one for each element of its window.
  %long = stablehlo.iota dim = 0 : tensor<100000xi32>
  %last = "stablehlo.reduce_window"(%long, %zero) <{window_dimensions = array<i64: 100000>, padding = dense<[[99999, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %z = stablehlo.constant dense<0> : tensor<i32>
      %is = stablehlo.compare EQ, %b, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s = stablehlo.select %is, %a, %b : tensor<i1>, tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<100000xi32>, tensor<i32>) -> tensor<100000xi32>
  check.expect_eq %last, %long : tensor<100000xi32>
  %end = "stablehlo.reduce_window"(%long, %zero) <{window_dimensions = array<i64: 100000>, padding = dense<[[0, 99999]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %z = stablehlo.constant dense<0> : tensor<i32>
      %is = stablehlo.compare EQ, %b, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s = stablehlo.select %is, %a, %b : tensor<i1>, tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<100000xi32>, tensor<i32>) -> tensor<100000xi32>
  %greatest = stablehlo.constant dense<99999> : tensor<100000xi32>
  check.expect_eq %end, %greatest : tensor<100000xi32>

  // Two operands: x -> p x + q, whose composition is (p, q) then (r, s): (p r, q r + s).  p = 2, q = 1:
  // 2^n and 2^n - 1.
  %p = stablehlo.constant dense<2> : tensor<5xi32>
  %q = stablehlo.constant dense<1> : tensor<5xi32>
  %unit = stablehlo.constant dense<1> : tensor<i32>
  %maps:2 = "stablehlo.reduce_window"(%p, %q, %unit, %zero) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %m = stablehlo.multiply %a, %c : tensor<i32>
      %n = stablehlo.multiply %b, %c : tensor<i32>
      %s = stablehlo.add %n, %d : tensor<i32>
      stablehlo.return %m, %s : tensor<i32>, tensor<i32>
    }) : (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>)
  check.expect_eq_const %maps#0, dense<[2, 4, 8, 16, 32]> : tensor<5xi32>
  check.expect_eq_const %maps#1, dense<[1, 3, 7, 15, 31]> : tensor<5xi32>

  // Padding that counts: each 3 before the first element is added.
  %three = stablehlo.constant dense<3> : tensor<i32>
  %padded = "stablehlo.reduce_window"(%q, %three) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %padded, dense<[16, 14, 12, 10, 8]> : tensor<5xi32>
  return
}
