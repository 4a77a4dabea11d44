// "a":(1)2 and "a":(3)2 of six devices do not overlap, yet no device has a place along both: one of the two
// factors stays whole. Its sum over pairs of devices would count some updates twice.
// RUN: tess opt %s -sdy-insert-explicit-reshards=enable-full-version | FileCheck %s
// RUN: tess verify %s --reshard-policy sdy | FileCheck %s --check-prefix=AGREE
// CHECK: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<6xi32>
// CHECK: "stablehlo.scatter"(%[[WHOLE]], %arg1, %arg2)
// CHECK: sdy.all_reduce {"a":(1)2}
// AGREE: 1 comparison agrees on 6 devices
sdy.mesh @mesh = <["a"=6]>
func.func @main(%arg0: tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(3)2}]>}, %arg1: tensor<16x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {}]>}, %arg2: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}]>}) -> (tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(3)2}]>}) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a":(3)2}]>]>} : (tensor<6xi32>, tensor<16x1xi32>, tensor<16xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
