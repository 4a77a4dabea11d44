// RUN: tess report --json %s | FileCheck %s
// RUN: tess report --json --target cpu %s | FileCheck %s --check-prefix=CPU

// A product takes up the bias and the maximum: 64x128, 128x256, 256 and 64x256 floats once.
// CHECK: "bytes": 230400,
// Each of the five operations by itself: 3 * 64x256 for add and maximum each, 256 + 64x256 for the
// broadcast, 4 + 64x256 * 4 for that of zero, and the product.
// CHECK: "unfused_bytes": 754692,
// Where no product takes anything up, its result is written and read once more.
// CPU: "bytes": 361472,
func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %b: tensor<256xf32>) -> tensor<64x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x256xf32>
  %3 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
  %4 = stablehlo.maximum %2, %3 : tensor<64x256xf32>
  return %4 : tensor<64x256xf32>
}
