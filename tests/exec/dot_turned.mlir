// RUN: tess eval %s --quiet
// RUN: tess eval %s --function rounded --quiet
// A product that is transposed may be written where the transpose wants it: every permutation, against
// the transpose of a sum, which is not.

func.func @main() {
  %ai = stablehlo.iota dim = 0 : tensor<210xi32>
  %am = stablehlo.constant dense<13> : tensor<210xi32>
  %ar = stablehlo.remainder %ai, %am : tensor<210xi32>
  %ac = stablehlo.convert %ar : (tensor<210xi32>) -> tensor<210xi32>
  %a = stablehlo.reshape %ac : (tensor<210xi32>) -> tensor<2x3x5x7xi32>
  %bi = stablehlo.iota dim = 0 : tensor<168xi32>
  %bm = stablehlo.constant dense<13> : tensor<168xi32>
  %br = stablehlo.remainder %bi, %bm : tensor<168xi32>
  %bc = stablehlo.convert %br : (tensor<168xi32>) -> tensor<168xi32>
  %b = stablehlo.reshape %bc : (tensor<168xi32>) -> tensor<2x7x3x4xi32>
  %p = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %zero = stablehlo.constant dense<0> : tensor<2x3x5x4xi32>
  %sum = stablehlo.add %p, %zero : tensor<2x3x5x4xi32>
  %p0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t0 = stablehlo.transpose %p0, dims = [0, 1, 2, 3] : (tensor<2x3x5x4xi32>) -> tensor<2x3x5x4xi32>
  %w0 = stablehlo.transpose %sum, dims = [0, 1, 2, 3] : (tensor<2x3x5x4xi32>) -> tensor<2x3x5x4xi32>
  check.expect_eq %t0, %w0 : tensor<2x3x5x4xi32>
  %p1 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t1 = stablehlo.transpose %p1, dims = [0, 1, 3, 2] : (tensor<2x3x5x4xi32>) -> tensor<2x3x4x5xi32>
  %w1 = stablehlo.transpose %sum, dims = [0, 1, 3, 2] : (tensor<2x3x5x4xi32>) -> tensor<2x3x4x5xi32>
  check.expect_eq %t1, %w1 : tensor<2x3x4x5xi32>
  %p2 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t2 = stablehlo.transpose %p2, dims = [0, 2, 1, 3] : (tensor<2x3x5x4xi32>) -> tensor<2x5x3x4xi32>
  %w2 = stablehlo.transpose %sum, dims = [0, 2, 1, 3] : (tensor<2x3x5x4xi32>) -> tensor<2x5x3x4xi32>
  check.expect_eq %t2, %w2 : tensor<2x5x3x4xi32>
  %p3 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t3 = stablehlo.transpose %p3, dims = [0, 2, 3, 1] : (tensor<2x3x5x4xi32>) -> tensor<2x5x4x3xi32>
  %w3 = stablehlo.transpose %sum, dims = [0, 2, 3, 1] : (tensor<2x3x5x4xi32>) -> tensor<2x5x4x3xi32>
  check.expect_eq %t3, %w3 : tensor<2x5x4x3xi32>
  %p4 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t4 = stablehlo.transpose %p4, dims = [0, 3, 1, 2] : (tensor<2x3x5x4xi32>) -> tensor<2x4x3x5xi32>
  %w4 = stablehlo.transpose %sum, dims = [0, 3, 1, 2] : (tensor<2x3x5x4xi32>) -> tensor<2x4x3x5xi32>
  check.expect_eq %t4, %w4 : tensor<2x4x3x5xi32>
  %p5 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t5 = stablehlo.transpose %p5, dims = [0, 3, 2, 1] : (tensor<2x3x5x4xi32>) -> tensor<2x4x5x3xi32>
  %w5 = stablehlo.transpose %sum, dims = [0, 3, 2, 1] : (tensor<2x3x5x4xi32>) -> tensor<2x4x5x3xi32>
  check.expect_eq %t5, %w5 : tensor<2x4x5x3xi32>
  %p6 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t6 = stablehlo.transpose %p6, dims = [1, 0, 2, 3] : (tensor<2x3x5x4xi32>) -> tensor<3x2x5x4xi32>
  %w6 = stablehlo.transpose %sum, dims = [1, 0, 2, 3] : (tensor<2x3x5x4xi32>) -> tensor<3x2x5x4xi32>
  check.expect_eq %t6, %w6 : tensor<3x2x5x4xi32>
  %p7 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t7 = stablehlo.transpose %p7, dims = [1, 0, 3, 2] : (tensor<2x3x5x4xi32>) -> tensor<3x2x4x5xi32>
  %w7 = stablehlo.transpose %sum, dims = [1, 0, 3, 2] : (tensor<2x3x5x4xi32>) -> tensor<3x2x4x5xi32>
  check.expect_eq %t7, %w7 : tensor<3x2x4x5xi32>
  %p8 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t8 = stablehlo.transpose %p8, dims = [1, 2, 0, 3] : (tensor<2x3x5x4xi32>) -> tensor<3x5x2x4xi32>
  %w8 = stablehlo.transpose %sum, dims = [1, 2, 0, 3] : (tensor<2x3x5x4xi32>) -> tensor<3x5x2x4xi32>
  check.expect_eq %t8, %w8 : tensor<3x5x2x4xi32>
  %p9 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t9 = stablehlo.transpose %p9, dims = [1, 2, 3, 0] : (tensor<2x3x5x4xi32>) -> tensor<3x5x4x2xi32>
  %w9 = stablehlo.transpose %sum, dims = [1, 2, 3, 0] : (tensor<2x3x5x4xi32>) -> tensor<3x5x4x2xi32>
  check.expect_eq %t9, %w9 : tensor<3x5x4x2xi32>
  %p10 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t10 = stablehlo.transpose %p10, dims = [1, 3, 0, 2] : (tensor<2x3x5x4xi32>) -> tensor<3x4x2x5xi32>
  %w10 = stablehlo.transpose %sum, dims = [1, 3, 0, 2] : (tensor<2x3x5x4xi32>) -> tensor<3x4x2x5xi32>
  check.expect_eq %t10, %w10 : tensor<3x4x2x5xi32>
  %p11 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t11 = stablehlo.transpose %p11, dims = [1, 3, 2, 0] : (tensor<2x3x5x4xi32>) -> tensor<3x4x5x2xi32>
  %w11 = stablehlo.transpose %sum, dims = [1, 3, 2, 0] : (tensor<2x3x5x4xi32>) -> tensor<3x4x5x2xi32>
  check.expect_eq %t11, %w11 : tensor<3x4x5x2xi32>
  %p12 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t12 = stablehlo.transpose %p12, dims = [2, 0, 1, 3] : (tensor<2x3x5x4xi32>) -> tensor<5x2x3x4xi32>
  %w12 = stablehlo.transpose %sum, dims = [2, 0, 1, 3] : (tensor<2x3x5x4xi32>) -> tensor<5x2x3x4xi32>
  check.expect_eq %t12, %w12 : tensor<5x2x3x4xi32>
  %p13 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t13 = stablehlo.transpose %p13, dims = [2, 0, 3, 1] : (tensor<2x3x5x4xi32>) -> tensor<5x2x4x3xi32>
  %w13 = stablehlo.transpose %sum, dims = [2, 0, 3, 1] : (tensor<2x3x5x4xi32>) -> tensor<5x2x4x3xi32>
  check.expect_eq %t13, %w13 : tensor<5x2x4x3xi32>
  %p14 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t14 = stablehlo.transpose %p14, dims = [2, 1, 0, 3] : (tensor<2x3x5x4xi32>) -> tensor<5x3x2x4xi32>
  %w14 = stablehlo.transpose %sum, dims = [2, 1, 0, 3] : (tensor<2x3x5x4xi32>) -> tensor<5x3x2x4xi32>
  check.expect_eq %t14, %w14 : tensor<5x3x2x4xi32>
  %p15 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t15 = stablehlo.transpose %p15, dims = [2, 1, 3, 0] : (tensor<2x3x5x4xi32>) -> tensor<5x3x4x2xi32>
  %w15 = stablehlo.transpose %sum, dims = [2, 1, 3, 0] : (tensor<2x3x5x4xi32>) -> tensor<5x3x4x2xi32>
  check.expect_eq %t15, %w15 : tensor<5x3x4x2xi32>
  %p16 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t16 = stablehlo.transpose %p16, dims = [2, 3, 0, 1] : (tensor<2x3x5x4xi32>) -> tensor<5x4x2x3xi32>
  %w16 = stablehlo.transpose %sum, dims = [2, 3, 0, 1] : (tensor<2x3x5x4xi32>) -> tensor<5x4x2x3xi32>
  check.expect_eq %t16, %w16 : tensor<5x4x2x3xi32>
  %p17 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t17 = stablehlo.transpose %p17, dims = [2, 3, 1, 0] : (tensor<2x3x5x4xi32>) -> tensor<5x4x3x2xi32>
  %w17 = stablehlo.transpose %sum, dims = [2, 3, 1, 0] : (tensor<2x3x5x4xi32>) -> tensor<5x4x3x2xi32>
  check.expect_eq %t17, %w17 : tensor<5x4x3x2xi32>
  %p18 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t18 = stablehlo.transpose %p18, dims = [3, 0, 1, 2] : (tensor<2x3x5x4xi32>) -> tensor<4x2x3x5xi32>
  %w18 = stablehlo.transpose %sum, dims = [3, 0, 1, 2] : (tensor<2x3x5x4xi32>) -> tensor<4x2x3x5xi32>
  check.expect_eq %t18, %w18 : tensor<4x2x3x5xi32>
  %p19 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t19 = stablehlo.transpose %p19, dims = [3, 0, 2, 1] : (tensor<2x3x5x4xi32>) -> tensor<4x2x5x3xi32>
  %w19 = stablehlo.transpose %sum, dims = [3, 0, 2, 1] : (tensor<2x3x5x4xi32>) -> tensor<4x2x5x3xi32>
  check.expect_eq %t19, %w19 : tensor<4x2x5x3xi32>
  %p20 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t20 = stablehlo.transpose %p20, dims = [3, 1, 0, 2] : (tensor<2x3x5x4xi32>) -> tensor<4x3x2x5xi32>
  %w20 = stablehlo.transpose %sum, dims = [3, 1, 0, 2] : (tensor<2x3x5x4xi32>) -> tensor<4x3x2x5xi32>
  check.expect_eq %t20, %w20 : tensor<4x3x2x5xi32>
  %p21 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t21 = stablehlo.transpose %p21, dims = [3, 1, 2, 0] : (tensor<2x3x5x4xi32>) -> tensor<4x3x5x2xi32>
  %w21 = stablehlo.transpose %sum, dims = [3, 1, 2, 0] : (tensor<2x3x5x4xi32>) -> tensor<4x3x5x2xi32>
  check.expect_eq %t21, %w21 : tensor<4x3x5x2xi32>
  %p22 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t22 = stablehlo.transpose %p22, dims = [3, 2, 0, 1] : (tensor<2x3x5x4xi32>) -> tensor<4x5x2x3xi32>
  %w22 = stablehlo.transpose %sum, dims = [3, 2, 0, 1] : (tensor<2x3x5x4xi32>) -> tensor<4x5x2x3xi32>
  check.expect_eq %t22, %w22 : tensor<4x5x2x3xi32>
  %p23 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xi32>, tensor<2x7x3x4xi32>) -> tensor<2x3x5x4xi32>
  %t23 = stablehlo.transpose %p23, dims = [3, 2, 1, 0] : (tensor<2x3x5x4xi32>) -> tensor<4x5x3x2xi32>
  %w23 = stablehlo.transpose %sum, dims = [3, 2, 1, 0] : (tensor<2x3x5x4xi32>) -> tensor<4x5x3x2xi32>
  check.expect_eq %t23, %w23 : tensor<4x5x3x2xi32>
  return
}

func.func @rounded() {
  %ai = stablehlo.iota dim = 0 : tensor<210xi32>
  %am = stablehlo.constant dense<3> : tensor<210xi32>
  %ar = stablehlo.remainder %ai, %am : tensor<210xi32>
  %ac = stablehlo.convert %ar : (tensor<210xi32>) -> tensor<210xbf16>
  %a = stablehlo.reshape %ac : (tensor<210xbf16>) -> tensor<2x3x5x7xbf16>
  %bi = stablehlo.iota dim = 0 : tensor<168xi32>
  %bm = stablehlo.constant dense<3> : tensor<168xi32>
  %br = stablehlo.remainder %bi, %bm : tensor<168xi32>
  %bc = stablehlo.convert %br : (tensor<168xi32>) -> tensor<168xbf16>
  %b = stablehlo.reshape %bc : (tensor<168xbf16>) -> tensor<2x7x3x4xbf16>
  %p = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xbf16>, tensor<2x7x3x4xbf16>) -> tensor<2x3x5x4xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<2x3x5x4xbf16>
  %sum = stablehlo.add %p, %zero : tensor<2x3x5x4xbf16>
  %p0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xbf16>, tensor<2x7x3x4xbf16>) -> tensor<2x3x5x4xbf16>
  %t0 = stablehlo.transpose %p0, dims = [0, 2, 1, 3] : (tensor<2x3x5x4xbf16>) -> tensor<2x5x3x4xbf16>
  %w0 = stablehlo.transpose %sum, dims = [0, 2, 1, 3] : (tensor<2x3x5x4xbf16>) -> tensor<2x5x3x4xbf16>
  check.expect_eq %t0, %w0 : tensor<2x5x3x4xbf16>
  %p1 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xbf16>, tensor<2x7x3x4xbf16>) -> tensor<2x3x5x4xbf16>
  %t1 = stablehlo.transpose %p1, dims = [0, 3, 2, 1] : (tensor<2x3x5x4xbf16>) -> tensor<2x4x5x3xbf16>
  %w1 = stablehlo.transpose %sum, dims = [0, 3, 2, 1] : (tensor<2x3x5x4xbf16>) -> tensor<2x4x5x3xbf16>
  check.expect_eq %t1, %w1 : tensor<2x4x5x3xbf16>
  %p2 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xbf16>, tensor<2x7x3x4xbf16>) -> tensor<2x3x5x4xbf16>
  %t2 = stablehlo.transpose %p2, dims = [2, 0, 1, 3] : (tensor<2x3x5x4xbf16>) -> tensor<5x2x3x4xbf16>
  %w2 = stablehlo.transpose %sum, dims = [2, 0, 1, 3] : (tensor<2x3x5x4xbf16>) -> tensor<5x2x3x4xbf16>
  check.expect_eq %t2, %w2 : tensor<5x2x3x4xbf16>
  %p3 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x3x5x7xbf16>, tensor<2x7x3x4xbf16>) -> tensor<2x3x5x4xbf16>
  %t3 = stablehlo.transpose %p3, dims = [1, 3, 0, 2] : (tensor<2x3x5x4xbf16>) -> tensor<3x4x2x5xbf16>
  %w3 = stablehlo.transpose %sum, dims = [1, 3, 0, 2] : (tensor<2x3x5x4xbf16>) -> tensor<3x4x2x5xbf16>
  check.expect_eq %t3, %w3 : tensor<3x4x2x5xbf16>
  return
}
