// RUN: tess report --json --target cpu %s | FileCheck %s

// What XLA's compiler for CPUs hands to a library as one kernel: from the last reduction up to what
// makes its operand for nobody else, down to the product that alone reads what comes of it.  It does not
// know how to select by a mask.
//
// The first product reads 16x256x64 floats twice and writes 16x256x256; the mask reads and writes those,
// besides 256x256 booleans; the rest reads them once, with 16x256x64 floats, and writes as many:
// 4 * 1,048,576 + 4 * 4,194,304 + 65,536, which is what XLA says, too.
// CHECK: "work": {
// CHECK: "bytes": 21037056,
func.func @main(%q: tensor<16x256x64xf32>, %k: tensor<16x256x64xf32>, %v: tensor<16x256x64xf32>, %mask: tensor<256x256xi1>) -> tensor<16x256x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %much = stablehlo.constant dense<-1.0e9> : tensor<16x256x256xf32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<16x256x64xf32>, tensor<16x256x64xf32>) -> tensor<16x256x256xf32>
  %1 = stablehlo.broadcast_in_dim %mask, dims = [1, 2] : (tensor<256x256xi1>) -> tensor<16x256x256xi1>
  %2 = stablehlo.select %1, %0, %much : tensor<16x256x256xi1>, tensor<16x256x256xf32>
  %3 = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<16x256x256xf32>, tensor<f32>) -> tensor<16x256xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<16x256xf32>) -> tensor<16x256x256xf32>
  %5 = stablehlo.subtract %2, %4 : tensor<16x256x256xf32>
  %6 = stablehlo.exponential %5 : tensor<16x256x256xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<16x256x256xf32>, tensor<f32>) -> tensor<16x256xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x256xf32>) -> tensor<16x256x256xf32>
  %9 = stablehlo.divide %6, %8 : tensor<16x256x256xf32>
  %10 = stablehlo.dot_general %9, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x256x256xf32>, tensor<16x256x64xf32>) -> tensor<16x256x64xf32>
  return %10 : tensor<16x256x64xf32>
}
