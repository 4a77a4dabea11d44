// RUN: tess report --json %s | FileCheck %s

// Heads lie behind positions: each operand is read and written once to bring them before these, and
// read again, 2x16x4x8 floats; the products are 2x4x16x16.
// CHECK: "bytes": 32768,
func.func @main(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  return %0 : tensor<2x4x16x16xf32>
}
