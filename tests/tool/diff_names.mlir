// RUN: tess opt %s > %t && tess diff %s %t --exit-code | FileCheck %s
// Without their locations arguments are matched by their places.
// CHECK: no difference

func.func @main(%a: tensor<4xf32> loc("weights"), %b: tensor<4xf32> loc("bias")) -> tensor<4xf32> {
  %0 = stablehlo.subtract %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
