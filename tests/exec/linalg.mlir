// RUN: tess eval %s --quiet
// Factors, triangular systems from both sides, and a transform with exact values.

func.func @main() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_eq_const %l, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>

  // L x = b, and x L = b
  %b = stablehlo.constant dense<[[2.0], [5.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %x, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[[4.0, 4.0]]> : tensor<1x2xf32>
  %y = "stablehlo.triangular_solve"(%l, %c) <{left_side = false, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %y, dense<[[1.0, 2.0]]> : tensor<1x2xf32>

  %s = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %f = stablehlo.fft %s, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %f, dense<(1.0, 0.0)> : tensor<3xcomplex<f32>>
  %g = stablehlo.fft %f, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %g, dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  return
}
