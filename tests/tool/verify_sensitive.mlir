// Of a difference of two equal sums rounding leaves nothing but noise, which another order of adding
// up changes.  The whole program's own noise says how much that may be, and no more is forgiven.
// RUN: tess verify %s | FileCheck %s
// CHECK: 2 comparisons agree on 8 devices
// CHECK-NEXT: (1 of them differs only by what changing the inputs by a rounding does to the whole program)
// RUN: (tess verify %s --partitioned %S/Inputs/sensitive_wrong.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: out0 differs from the whole program: 1 of 1 elements
// WRONG: status 1
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64x1000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<f32>, tensor<64x1000xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %large = stablehlo.constant dense<1.0e7> : tensor<f32>
  %rows = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %once = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %columns = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %again = stablehlo.reduce(%columns init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %noise = stablehlo.subtract %once, %again : tensor<f32>
  %much = stablehlo.multiply %noise, %large : tensor<f32>
  return %much, %a : tensor<f32>, tensor<64x1000xf32>
}
