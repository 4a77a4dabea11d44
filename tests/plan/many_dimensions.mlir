// A value of more than 64 dimensions is left whole.
//
// RUN: tess plan %s --devices 2 --emit specs | FileCheck %s
// CHECK: mesh data=2
// CHECK-NEXT: arg:1 P("data")
// CHECK-NOT: arg:
//
// The model, which is asked where there are more devices, leaves it whole, too, and what is computed from it.
// RUN: tess plan %s --devices 8 --emit specs | FileCheck %s --check-prefix=MODEL
// MODEL: mesh data=8
// MODEL-NEXT: arg:1 P("data")
// MODEL-NOT: arg:

func.func @main(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %b : tensor<8x8xf32>
  %1 = stablehlo.tanh %a : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x8xf32>
  return %0 : tensor<8x8xf32>
}
