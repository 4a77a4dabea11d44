// RUN: tess eval %s --quiet
// clamp is min(max(x, low), high) for all types that have an order; the conjugate of a real number is itself.

func.func @main() {
  %x = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.clamp %no, %x, %no : (tensor<i1>, tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<false> : tensor<3xi1>
  %1 = stablehlo.clamp %yes, %x, %yes : (tensor<i1>, tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<true> : tensor<3xi1>

  // By the real parts, then by the imaginary ones.
  %z = stablehlo.constant dense<[(1.0, 5.0), (0.0, 9.0), (3.0, -1.0), (2.0, 0.0)]> : tensor<4xcomplex<f32>>
  %low = stablehlo.constant dense<(1.0, 6.0)> : tensor<complex<f32>>
  %high = stablehlo.constant dense<(2.0, -1.0)> : tensor<complex<f32>>
  %2 = stablehlo.clamp %low, %z, %high : (tensor<complex<f32>>, tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %2, dense<[(1.0, 6.0), (1.0, 6.0), (2.0, -1.0), (2.0, -1.0)]> : tensor<4xcomplex<f32>>

  %r = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %c = chlo.conj %r : tensor<2xf32> -> tensor<2xf32>
  check.expect_eq_const %c, dense<[1.5, -2.0]> : tensor<2xf32>
  return
}
