// A value of more than 64 dimensions is left whole.
//
// RUN: tess plan %s --devices 2 --emit specs | FileCheck %s
// CHECK: mesh data=2
// CHECK-NEXT: arg:1 P("data")
// CHECK-NOT: arg:

func.func @main(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
