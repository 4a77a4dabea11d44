// A root of a difference that rounding alone decides is a number in one run and none in the other. That
// is told, and no difference, as far as a change of the inputs by a rounding does the same.
// RUN: tess verify %s | FileCheck %s
// CHECK: 2 comparisons agree on 8 devices
// CHECK-NEXT: (1 of them differs only by what changing the inputs by a rounding does to the whole program)
// CHECK-NEXT: elements are numbers in one run and NaN in the other, as they are after that change)

// NaN where the whole program has numbers whatever its inputs is wrong.
// RUN: tess partition %s | sed 's/stablehlo.abs/stablehlo.negate/' > %t
// RUN: (! tess verify %s --partitioned %t) | FileCheck %s --check-prefix=WRONG
// WRONG: out1 differs from the whole program: {{[0-9]+}} of 1000 elements
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64x1000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %back = stablehlo.reverse %a, dims = [0] : tensor<64x1000xf32>
  %once = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %again = stablehlo.reduce(%back init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %noise = stablehlo.subtract %once, %again : tensor<1000xf32>
  %root = stablehlo.sqrt %noise : tensor<1000xf32>
  %size = stablehlo.abs %once : tensor<1000xf32>
  %fine = stablehlo.sqrt %size : tensor<1000xf32>
  return %root, %fine : tensor<1000xf32>, tensor<1000xf32>
}
