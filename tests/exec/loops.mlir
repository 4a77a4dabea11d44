// RUN: tess eval %s --quiet
// Memories that change places at the end of an iteration.

// What the inner loop leaves is what the outer one carries on, and the old value is still read behind
// the inner loop; so two memories change places, one of which is shared by the product.
func.func public @nested() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %x0 = stablehlo.constant dense<[1.0, 5.0]> : tensor<2xf32>
  %g0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %r:3 = stablehlo.while(%x = %x0, %g = %g0, %i = %zero) : tensor<2xf32>, tensor<2xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %begin = stablehlo.subtract %i, %i : tensor<i32>
    %s:2 = stablehlo.while(%h = %g, %k = %begin) : tensor<2xf32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %p = stablehlo.multiply %x, %h : tensor<2xf32>
      %k1 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %p, %k1 : tensor<2xf32>, tensor<i32>
    }
    %x1 = stablehlo.subtract %x, %g : tensor<2xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %x1, %s#0, %i1 : tensor<2xf32>, tensor<2xf32>, tensor<i32>
  }
  // (1, 2) -> (-1, 2) -> (-3, -2) -> (-1, 6) and (5, 3) -> (2, 15) -> (-13, 30) -> (-43, -390)
  check.expect_eq_const %r#0, dense<[-1.0, -43.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[6.0, -390.0]> : tensor<2xf32>
  return
}
