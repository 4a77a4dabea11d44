// RUN: tess report --json --target cpu %s | FileCheck %s

// A loop takes what has been transposed in its own order: %seq is written twice, 262,144 bytes each, as
// XLA does (524,288 bytes, and 68 of the counter and others).  The state begins in the memory of the
// result, and what a turn makes of it, lies there, too.
// CHECK: "temporaries": 524288,
func.func @main(%xs: tensor<64x16x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %seq = stablehlo.transpose %xs, dims = [1, 0, 2] : (tensor<64x16x64xf32>) -> tensor<16x64x64xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %h0 = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %r:3 = stablehlo.while(%i = %zero, %s = %seq, %h = %h0) : tensor<i32>, tensor<16x64x64xf32>, tensor<64x64xf32>
  cond {
    %n = stablehlo.constant dense<16> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %x = stablehlo.dynamic_slice %s, %i, %z, %z, sizes = [1, 64, 64] : (tensor<16x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %y = stablehlo.reshape %x : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %q = stablehlo.add %p, %y : tensor<64x64xf32>
    %t = stablehlo.tanh %q : tensor<64x64xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s, %t : tensor<i32>, tensor<16x64x64xf32>, tensor<64x64xf32>
  }
  return %r#2 : tensor<64x64xf32>
}
