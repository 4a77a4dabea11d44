// RUN: tess report --json %s | FileCheck %s

// The tangent is a result, so it is stored, and the product reads it: 64x64 floats five times.
// CHECK: "bytes": 81920,
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.tanh %x : tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %0 : tensor<64x64xf32>, tensor<64x64xf32>
}
