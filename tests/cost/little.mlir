// RUN: tess report --json --target cpu %s | FileCheck %s

// The CPU's library takes up what has 4,096 elements or reads as many.  The 256 sums here are divided by
// themselves, so that 256x1024 floats are read for the sums, and read and written once more:
// 3 * 1,048,576 and the sums twice.  (XLA says 3,149,824: it writes what divides, too.)
// CHECK: "work": {
// CHECK: "bytes": 3147776,
func.func @main(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x1024xf32>, tensor<f32>) -> tensor<256xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<256xf32>) -> tensor<256x1024xf32>
  %2 = stablehlo.divide %x, %1 : tensor<256x1024xf32>
  return %2 : tensor<256x1024xf32>
}
