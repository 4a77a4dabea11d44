// RUN: tess report --json --target cpu %s | FileCheck %s

// The memory of the result is free until the last product writes it: the first product and its tanh, which
// is written over it, lie there.  The second one, which is made of that, is the only temporary: 65,536
// bytes, as XLA says.
// CHECK: "temporaries": 65536,
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = stablehlo.tanh %0 : tensor<128x128xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = stablehlo.tanh %2 : tensor<128x128xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  return %4 : tensor<128x128xf32>
}
