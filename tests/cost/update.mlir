// RUN: tess report --json %s | FileCheck %s

// Eight rows of 1024 floats, read and written in place of a donated argument, and the place, a number.
// CHECK: "bytes": 65536,
func.func @main(%a: tensor<512x1024xf32> {tf.aliasing_output = 0 : i32}, %u: tensor<8x1024xf32>) -> tensor<512x1024xf32> {
  %at = stablehlo.constant dense<16> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %u, %at, %at : (tensor<512x1024xf32>, tensor<8x1024xf32>, tensor<i32>, tensor<i32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
