// Products with an operand that is one element many times over.
// RUN: tess eval %s --function both_sides
// RUN: tess eval %s --function right_side

func.func @both_sides() {
  %0 = stablehlo.constant dense<-5> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7xi32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0] : (tensor<7xi32>, tensor<7xi32>) -> tensor<i32>
  check.expect_eq_const %2, dense<175> : tensor<i32>
  func.return
}

func.func @right_side() {
  %0 = stablehlo.iota dim = 0 : tensor<4x3xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x1xf32>) -> tensor<4x1xf32>
  check.expect_eq_const %3, dense<[[0.0], [6.0], [12.0], [18.0]]> : tensor<4x1xf32>
  func.return
}
