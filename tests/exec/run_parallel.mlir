// RUN: tess eval %s --quiet
// Each process gets arguments of its own.

func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %0:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@twice, @twice]]}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[60, 80]> : tensor<2xi32>
  return
}
