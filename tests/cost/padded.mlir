// RUN: tess report --json --target cpu %s | FileCheck %s

// Padding of no width is the operand itself.  Elements that are moved apart, and cut to as many as there were, are not:
// 4,096 bytes are read and as many written.
// CHECK: "work": {
// CHECK: "bytes": 8192,
func.func @main(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [0], high = [-1023], interior = [1] : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %1 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [0] : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %0, %1 : tensor<1024xf32>, tensor<1024xf32>
}
