// RUN: tess report --json %s | FileCheck %s

// A batch of matrices is read in either order: 4x16x8 and 4x32x8 floats once, 4x16x32 written.
// CHECK: "bytes": 14336,
func.func @main(%a: tensor<4x16x8xf32>, %b: tensor<4x32x8xf32>) -> tensor<4x16x32xf32> {
  %0 = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<4x32x8xf32>) -> tensor<4x8x32xf32>
  %1 = stablehlo.dot_general %a, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x16x8xf32>, tensor<4x8x32xf32>) -> tensor<4x16x32xf32>
  return %1 : tensor<4x16x32xf32>
}
