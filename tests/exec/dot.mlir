// RUN: tess eval %s --quiet
// Products of operands in any arrangement; values by hand.

func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]]> : tensor<2x3xf32>

  // [k, m] x [n, k] and a transpose: computed as the transpose of the product
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[531.0, 642.0], [1062.0, 1284.0]]> : tensor<2x2xf32>

  // the same without
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[531.0, 1062.0], [642.0, 1284.0]]> : tensor<2x2xf32>

  // A batch, two free dimensions on each side, and the result in another order.
  %i = stablehlo.iota dim = 0 : tensor<240xi32>
  %x = stablehlo.reshape %i : (tensor<240xi32>) -> tensor<2x5x4x6xi32>
  %j = stablehlo.slice %i [0:180] : (tensor<240xi32>) -> tensor<180xi32>
  %y = stablehlo.reshape %j : (tensor<180xi32>) -> tensor<2x3x6x5xi32>
  %3 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [3]
      : (tensor<2x5x4x6xi32>, tensor<2x3x6x5xi32>) -> tensor<2x4x6x3x6xi32>
  %4 = stablehlo.transpose %3, dims = [0, 3, 4, 1, 2] : (tensor<2x4x6x3x6xi32>) -> tensor<2x3x6x4x6xi32>
  %5 = stablehlo.dot_general %y, %x, batching_dims = [0] x [0], contracting_dims = [3] x [1]
      : (tensor<2x3x6x5xi32>, tensor<2x5x4x6xi32>) -> tensor<2x3x6x4x6xi32>
  check.expect_eq %4, %5 : tensor<2x3x6x4x6xi32>
  // sum over k of (24 k) (k) for the first of everything: 24 (0 + 1 + 4 + 9 + 16)
  %6 = stablehlo.slice %4 [0:1, 0:1, 0:1, 0:1, 0:1] : (tensor<2x3x6x4x6xi32>) -> tensor<1x1x1x1x1xi32>
  check.expect_eq_const %6, dense<720> : tensor<1x1x1x1x1xi32>
  return
}
