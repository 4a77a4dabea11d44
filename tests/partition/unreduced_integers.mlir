// Sums of integers may leave their range on the way: what more bits or a division would show is computed
// on the complete sum.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 3 comparisons agree on 2 devices
// RUN: tess partition %s | FileCheck %s

// CHECK: %[[SUM:.*]] = stablehlo.dot_general
// CHECK-NEXT: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[SUM]])
// CHECK: stablehlo.convert %[[ALL]] : (tensor<4x6xui8>) -> tensor<4x6xf32>
// CHECK: stablehlo.divide %[[ALL]]
// CHECK: stablehlo.transpose %[[SUM]]

sdy.mesh @mesh = <["x"=2]>

func.func @main(%a: tensor<8x4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x6xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x6xf32>, tensor<4x6xui8>, tensor<6x4xui8>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<8x4xui8>, tensor<8x6xui8>) -> tensor<4x6xui8>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"x"}> : tensor<4x6xui8>
  %2 = stablehlo.convert %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x6xui8>) -> tensor<4x6xf32>
  %three = stablehlo.constant dense<3> : tensor<4x6xui8>
  %3 = stablehlo.divide %1, %three {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : tensor<4x6xui8>
  %4 = stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<4x6xui8>) -> tensor<6x4xui8>
  return %2, %3, %4 : tensor<4x6xf32>, tensor<4x6xui8>, tensor<6x4xui8>
}
