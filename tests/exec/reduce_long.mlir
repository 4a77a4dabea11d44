// RUN: tess eval %s --quiet
// Few results of many elements each: they are folded in pieces.

func.func @main() {
  %seven = stablehlo.constant dense<7> : tensor<i64>
  // 300000 * 299999 / 2 + 7
  %i = stablehlo.iota dim = 0 : tensor<300000xi64>
  %0 = stablehlo.reduce(%i init: %seven) applies stablehlo.add across dimensions = [0] : (tensor<300000xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %0, dense<44999850007> : tensor<i64>

  // Columns, side by side: 40000 * 39999 / 2 + 7 each.
  %small = stablehlo.constant dense<7> : tensor<i32>
  %c = stablehlo.iota dim = 0 : tensor<40000x5xi32>
  %1 = stablehlo.reduce(%c init: %small) applies stablehlo.add across dimensions = [0] : (tensor<40000x5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %1, dense<799980007> : tensor<5xi32>

  // Two dimensions are kept, and two are not: row 1 is 900 x 3 ones.
  %d = stablehlo.iota dim = 1 : tensor<900x2x3x30xi64>
  %2 = stablehlo.reduce(%d init: %seven) applies stablehlo.add across dimensions = [0, 2] : (tensor<900x2x3x30xi64>, tensor<i64>) -> tensor<2x30xi64>
  %row0 = stablehlo.slice %2 [0:1, 0:30] : (tensor<2x30xi64>) -> tensor<1x30xi64>
  %row1 = stablehlo.slice %2 [1:2, 0:30] : (tensor<2x30xi64>) -> tensor<1x30xi64>
  check.expect_eq_const %row0, dense<7> : tensor<1x30xi64>
  check.expect_eq_const %row1, dense<2707> : tensor<1x30xi64>

  // Runs that lie apart: 3000 times 0 + 1 + ... + 29.
  %e = stablehlo.iota dim = 0 : tensor<30x2x3000xi64>
  %3 = stablehlo.reduce(%e init: %seven) applies stablehlo.add across dimensions = [0, 2] : (tensor<30x2x3000xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %3, dense<1305007> : tensor<2xi64>

  // Sums of bf16 are f32 until the end: 2^18 halves, and 1 more, rounded once.
  %half = stablehlo.constant dense<0.5> : tensor<262144xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %4 = stablehlo.reduce(%half init: %one) applies stablehlo.add across dimensions = [0] : (tensor<262144xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %4, dense<131072.0> : tensor<bf16>

  %f = stablehlo.iota dim = 0 : tensor<200001xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %5 = stablehlo.reduce(%f init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<200001xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %5, dense<200000.0> : tensor<f32>

  // One number that is none is enough.
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  %g = stablehlo.concatenate %f, %nan, %f, dim = 0 : (tensor<200001xf32>, tensor<1xf32>, tensor<200001xf32>) -> tensor<400003xf32>
  %6 = stablehlo.reduce(%g init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<400003xf32>, tensor<f32>) -> tensor<f32>
  %7 = stablehlo.compare NE, %6, %6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  check.expect_eq_const %7, dense<true> : tensor<i1>

  %8 = stablehlo.compare LT, %i, %i : (tensor<300000xi64>, tensor<300000xi64>) -> tensor<300000xi1>
  %9 = stablehlo.not %8 : tensor<300000xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %10 = stablehlo.reduce(%9 init: %true) applies stablehlo.and across dimensions = [0] : (tensor<300000xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %10, dense<true> : tensor<i1>
  return
}
