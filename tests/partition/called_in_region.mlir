// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s
// A function that only the body of a reduction calls goes along, as it is.

sdy.mesh @m = <["x"=2]>

// CHECK: func.func private @pick_whole(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32>
func.func private @pick(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.select %0, %a, %b : tensor<i1>, tensor<f32>
  return %1 : tensor<f32>
}

func.func @main() -> tensor<4xf32> {
  %x = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : tensor<4x6xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: func.call @pick_whole
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1]
      : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %1 = func.call @pick(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<4xf32>
}
