// RUN: tess report --json --target cpu %s | FileCheck %s

// What comes through a barrier waits for all that goes into it: %6 is not computed before %4, and so there is
// room for it where the values before have been.  Two products and what is made of them are temporaries:
// 131,072 bytes, as XLA says.
// CHECK: "temporaries": 131072,
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = stablehlo.tanh %0 : tensor<128x128xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = stablehlo.tanh %2 : tensor<128x128xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %5:2 = stablehlo.optimization_barrier %x, %4 : tensor<128x128xf32>, tensor<128x128xf32>
  %6 = stablehlo.dot_general %5#0, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %7 = stablehlo.cosine %6 : tensor<128x128xf32>
  %8 = stablehlo.dot_general %5#1, %7, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  return %8 : tensor<128x128xf32>
}
