// RUN: tess eval %s --quiet
// Where exponentials become denormal, and then 0.

func.func @main() {
  %x = stablehlo.constant dense<[0.0, -100.0, -103.0, -104.0, -105.0, -1.0e9, 0xFF800000]> : tensor<7xf32>
  %0 = stablehlo.exponential %x : tensor<7xf32>
  check.expect_eq_const %0, dense<[1.0, 0x0000001B, 0x00000001, 0.0, 0.0, 0.0, 0.0]> : tensor<7xf32>
  %y = stablehlo.constant dense<[0.0, -740.0, -745.0, -745.2, -746.0, -1.0e9, 0xFFF0000000000000]> : tensor<7xf64>
  %1 = stablehlo.exponential %y : tensor<7xf64>
  check.expect_eq_const %1, dense<[1.0, 0x0000000000000055, 0x0000000000000001, 0.0, 0.0, 0.0, 0.0]> : tensor<7xf64>
  %n = stablehlo.constant dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  %2 = stablehlo.exponential %n : tensor<2xf32>
  %same = stablehlo.compare EQ, %2, %2, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %same, dense<[false, true]> : tensor<2xi1>
  return
}
