// RUN: tess report --json --target cpu %s | FileCheck %s

// The last product of the branch writes the result's memory, and reads both values that have gone through tanh: these two
// are temporaries, in the region of %0: 131,072 bytes, as XLA says (and 192 of the branches' own).
// CHECK: "temporaries": 131072,
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>, %which: tensor<i32>) -> tensor<128x128xf32> {
  %0 = "stablehlo.case"(%which) ({
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %2 = stablehlo.tanh %1 : tensor<128x128xf32>
    %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %4 = stablehlo.tanh %3 : tensor<128x128xf32>
    %5 = stablehlo.dot_general %4, %2, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    stablehlo.return %5 : tensor<128x128xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<128x128xf32>
    stablehlo.return %1 : tensor<128x128xf32>
  }) : (tensor<i32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}
