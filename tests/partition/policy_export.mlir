// reshard-policy=cost: what two operations want brought to the same place is brought there once.
// Shardy brings it there for each.
// RUN: tess opt %s -sdy-export-pipeline=enable-insert-explicit-collectives=true | FileCheck %s --check-prefix=SDY
// RUN: tess opt %s -sdy-export-pipeline='enable-insert-explicit-collectives=true reshard-policy=cost' | FileCheck %s
// SDY-COUNT-2: sdy.all_gather [{"x"}, {}] %arg0
// CHECK: %[[WHOLE:.*]] = sdy.all_gather [{"x"}, {}] %arg0
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot %[[WHOLE]], %arg1
// CHECK: stablehlo.dot %[[WHOLE]], %arg2
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg2: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.dot %arg0, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}
