// RUN: tess report --json %s | FileCheck %s

// What compilers keep at most: half precision as it is, where machines compute in it, and neither a step
// with one reader (the first tanh) nor what can be made of one value that is no larger (the conversion,
// which two kernels read).  At the last product there are the second one's result and what is made of it,
// 64x64 of 2 bytes each, what a library needs to put two operands and the result, which is returned, into
// another order, and 64 bytes for the zero: 5 * 8,192 + 64.
// CHECK: "temporaries": 16384,
// CHECK: "temporaries_upper": 41024,
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = stablehlo.tanh %0 : tensor<64x64xbf16>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %3 = stablehlo.convert %2 : (tensor<64x64xbf16>) -> tensor<64x64xf32>
  %4 = stablehlo.tanh %3 : tensor<64x64xf32>
  %5 = stablehlo.convert %4 : (tensor<64x64xf32>) -> tensor<64x64xbf16>
  %6 = stablehlo.dot_general %5, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %7 = stablehlo.multiply %3, %3 : tensor<64x64xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %6, %8 : tensor<64x64xbf16>, tensor<64xf32>
}
