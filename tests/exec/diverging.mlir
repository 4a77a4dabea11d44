// RUN: tess eval %s --quiet
// Processes that take different branches, each of which needs memory of its own: by the time that the
// second branch runs, nothing is left of what was decided.

func.func private @choose(%k: tensor<i32>, %x: tensor<6xf32>) -> tensor<6xf32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %more = stablehlo.compare GT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %which = stablehlo.convert %more : (tensor<i1>) -> tensor<i32>
  %r = "stablehlo.case"(%which) ({
    %s = stablehlo.sine %x : tensor<6xf32>
    %t = stablehlo.reverse %s, dims = [0] : tensor<6xf32>
    %u = stablehlo.subtract %t, %t : tensor<6xf32>
    %v = stablehlo.subtract %x, %u : tensor<6xf32>
    stablehlo.return %v : tensor<6xf32>
  }, {
    %v = stablehlo.add %x, %x : tensor<6xf32>
    stablehlo.return %v : tensor<6xf32>
  }) : (tensor<i32>) -> tensor<6xf32>
  %one = stablehlo.convert %k : (tensor<i32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %sum = stablehlo.add %r, %all : tensor<6xf32>
  return %sum : tensor<6xf32>
}

// Fibonacci's numbers: the two values of the loop change places, in each process as often as it says.
func.func private @fibonacci(%n: tensor<i32>) -> tensor<i32> {
  %a = stablehlo.constant dense<0> : tensor<i32>
  %b = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %n, %x = %a, %y = %b) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare GT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %left = stablehlo.subtract %i, %b : tensor<i32>
      %sum = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %left, %y, %sum : tensor<i32>, tensor<i32>, tensor<i32>
    }
  return %0#1 : tensor<i32>
}

func.func @main() {
  %x = stablehlo.constant dense<10.0> : tensor<6xf32>
  %k0 = stablehlo.constant dense<2> : tensor<i32>
  %k1 = stablehlo.constant dense<7> : tensor<i32>
  %k2 = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = "interpreter.run_parallel"(%k0, %x, %k1, %x, %k2, %x) {programs = [[@choose, @choose, @choose]]} :
      (tensor<i32>, tensor<6xf32>, tensor<i32>, tensor<6xf32>, tensor<i32>, tensor<6xf32>) ->
      (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
  check.expect_eq_const %r#0, dense<12.0> : tensor<6xf32>
  check.expect_eq_const %r#1, dense<27.0> : tensor<6xf32>
  check.expect_eq_const %r#2, dense<11.0> : tensor<6xf32>

  %n0 = stablehlo.constant dense<10> : tensor<i32>
  %n1 = stablehlo.constant dense<1> : tensor<i32>
  %n2 = stablehlo.constant dense<7> : tensor<i32>
  %f:3 = "interpreter.run_parallel"(%n0, %n1, %n2) {programs = [[@fibonacci, @fibonacci, @fibonacci]]} :
      (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %f#0, dense<55> : tensor<i32>
  check.expect_eq_const %f#1, dense<1> : tensor<i32>
  check.expect_eq_const %f#2, dense<13> : tensor<i32>
  return
}
