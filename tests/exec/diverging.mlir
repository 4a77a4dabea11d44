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
  return
}
