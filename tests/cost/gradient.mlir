// RUN: tess report --json %s | FileCheck %s
// RUN: tess report --json --target cpu %s | FileCheck %s

// The gradient of a weight is the product of the operands the other way round, and not transposed
// afterwards: 512x64 and 512x128 floats are read, 64x128 written.
// CHECK: "work": {
// CHECK: "bytes": 425984,
func.func @main(%x: tensor<512x64xf32>, %g: tensor<512x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.dot_general %g, %x, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x64xf32>) -> tensor<128x64xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
