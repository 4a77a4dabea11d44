// What each device can make for itself, an iota or one element everywhere, is made once more where it is
// needed in another spread, and not fetched.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_ --implicit-check-not=collective_permute
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 4 comparisons agree on 8 devices

// CHECK: func.func public @main
// CHECK: stablehlo.iota dim = 0 : tensor<4x16xi32>
// CHECK: stablehlo.iota dim = 0 : tensor<8x4xi32>
// CHECK: stablehlo.iota dim = 0 : tensor<8x16xi32>

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(%a: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %i = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x16xi32>
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<5> : tensor<8x16xi32>
  %0 = stablehlo.add %i, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x16xi32>
  %1 = sdy.sharding_constraint %i <@mesh, [{}, {"y"}]> : tensor<8x16xi32>
  %2 = sdy.sharding_constraint %i <@mesh, [{}, {}]> : tensor<8x16xi32>
  %3 = sdy.sharding_constraint %c <@mesh, [{"y"}, {"x"}]> : tensor<8x16xi32>
  return %0, %1, %2, %3 : tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>
}
