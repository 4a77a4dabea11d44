// A product reads its matrices in either order: the transpose takes no memory of its own.
// RUN: tess report %s | FileCheck %s
// CHECK: temporaries 0 B
func.func @main(%a: tensor<256x128xf32>, %b: tensor<256x64xf32>) -> tensor<128x64xf32> {
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x128xf32>) -> tensor<128x256xf32>
  %0 = stablehlo.dot_general %t, %b, contracting_dims = [1] x [0] : (tensor<128x256xf32>, tensor<256x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}
