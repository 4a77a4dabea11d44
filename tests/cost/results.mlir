// RUN: tess report --json --target cpu %s | FileCheck %s

// One of several results that is transposed is computed as it lies, and copied; the other is not: 6 times
// 64x256 floats, which is what XLA says.
// CHECK: "work": {
// CHECK: "bytes": 393216,
func.func @main(%x: tensor<64x256xf32>) -> (tensor<256x64xf32>, tensor<64x256xf32>) {
  %two = stablehlo.constant dense<2.0> : tensor<256x64xf32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
  %1 = stablehlo.multiply %0, %two : tensor<256x64xf32>
  %2 = stablehlo.negate %x : tensor<64x256xf32>
  return %1, %2 : tensor<256x64xf32>, tensor<64x256xf32>
}
