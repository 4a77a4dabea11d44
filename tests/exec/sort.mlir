// RUN: tess eval %s --quiet
// A key, a key of a function of the element, several operands, any comparator.

sdy.mesh @mesh = <["x"=2]>
func.func @main() {
  %x = stablehlo.constant dense<[3, 1, 2, 1]> : tensor<4xi32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[1, 1, 2, 3]> : tensor<4xi32>
  check.expect_eq_const %0#1, dense<[1, 3, 2, 0]> : tensor<4xi32>

  // by magnitude, largest first
  %y = stablehlo.constant dense<[-5.0, 2.0, -1.0, 4.0]> : tensor<4xf32>
  %1 = "stablehlo.sort"(%y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.abs %a : tensor<f32>
    %q = stablehlo.abs %b : tensor<f32>
    %gt = stablehlo.compare GT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %1, dense<[-5.0, 4.0, 2.0, -1.0]> : tensor<4xf32>

  // by the first operand, then by the second, along dimension 0 of two lines
  %u = stablehlo.constant dense<[[1, 2], [0, 2], [1, 1]]> : tensor<3x2xi32>
  %v = stablehlo.constant dense<[[9, 5], [7, 4], [8, 6]]> : tensor<3x2xi32>
  %2:2 = "stablehlo.sort"(%u, %v) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %next = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %and = stablehlo.and %eq, %next : tensor<i1>
    %or = stablehlo.or %lt, %and : tensor<i1>
    stablehlo.return %or : tensor<i1>
  }) : (tensor<3x2xi32>, tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>)
  check.expect_eq_const %2#0, dense<[[0, 1], [1, 2], [1, 2]]> : tensor<3x2xi32>
  check.expect_eq_const %2#1, dense<[[7, 6], [8, 4], [9, 5]]> : tensor<3x2xi32>

  // annotations of scalars, as explicit and automatic axes together have them
  %annotated = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = sdy.sharding_constraint %a <@mesh, []> : tensor<i32>
    %d = sdy.reshard %b <@mesh, []> : tensor<i32>
    %gt = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %annotated, dense<[3, 2, 1, 1]> : tensor<4xi32>

  // a type without a sign, in both orders of floats
  %powers = stablehlo.constant dense<[4.0, 0.5, 0xFF, 2.0, 1.0]> : tensor<5xf8E8M0FNU>
  %total = "stablehlo.sort"(%powers) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    %lt = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<5xf8E8M0FNU>) -> tensor<5xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %total : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %bits, dense<[126, 127, 128, 129, 255]> : tensor<5xui8>
  %numbers = stablehlo.slice %powers [0:2] : (tensor<5xf8E8M0FNU>) -> tensor<2xf8E8M0FNU>
  %two = stablehlo.slice %powers [3:5] : (tensor<5xf8E8M0FNU>) -> tensor<2xf8E8M0FNU>
  %four = stablehlo.concatenate %numbers, %two, dim = 0 : (tensor<2xf8E8M0FNU>, tensor<2xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  %down = "stablehlo.sort"(%four) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<4xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  check.expect_eq_const %down, dense<[4.0, 2.0, 1.0, 0.5]> : tensor<4xf8E8M0FNU>
  return
}
