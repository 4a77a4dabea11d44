// RUN: tess eval %s --quiet
// Tridiagonal systems that may be singular, as JAX solves them with perturb_singular: values are JAX's.

func.func @main() {
  // regular ones, the second with exchanged rows
  %below = stablehlo.constant dense<[[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %diagonal = stablehlo.constant dense<[[2.0, 2.0, 2.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %above = stablehlo.constant dense<[[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %right = stablehlo.constant dense<[[[4.0, 1.0], [8.0, 0.0], [8.0, 0.0]], [[1.0, 2.0], [2.0, 2.0], [3.0, 1.0]]]> : tensor<2x3x2xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%below, %diagonal, %above, %right) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq_const %0, dense<[[[1.0, 0.75], [2.0, -0.5], [3.0, 0.25]], [[0.0, 1.5], [1.0, 0.5], [2.0, 0.5]]]> : tensor<2x3x2xf32>

  // a zero becomes the least number whose inverse is one
  %z = stablehlo.constant dense<0.0> : tensor<1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1x1xf32>
  %1 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%z, %z, %z, %one) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %1, dense<8.50705917E+37> : tensor<1x1xf32>

  // the second difference, whose rows add up to zero: its last pivot is eps times the largest of U
  %b3 = stablehlo.constant dense<[0.0, -1.0, -1.0]> : tensor<3xf32>
  %d3 = stablehlo.constant dense<[1.0, 2.0, 1.0]> : tensor<3xf32>
  %a3 = stablehlo.constant dense<[-1.0, -1.0, 0.0]> : tensor<3xf32>
  %r3 = stablehlo.constant dense<[[1.0], [2.0], [4.0]]> : tensor<3x1xf32>
  %2 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%b3, %d3, %a3, %r3) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %2, dense<[[58720252.0], [58720252.0], [58720256.0]]> : tensor<3x1xf32>

  %none = stablehlo.constant dense<0.0> : tensor<0xf64>
  %rights = stablehlo.constant dense<0.0> : tensor<0x2xf64>
  %3 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%none, %none, %none, %rights) : (tensor<0xf64>, tensor<0xf64>, tensor<0xf64>, tensor<0x2xf64>) -> tensor<0x2xf64>
  check.expect_eq %3, %rights : tensor<0x2xf64>
  return
}
