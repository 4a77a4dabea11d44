// XLA's CPU client computes a scatter wrong of which two operands are one value.  A barrier makes them two,
// also where a later simplification would find them to be one.
// RUN: tess partition %s | FileCheck %s
// CHECK: %[[APART:.*]]:2 = stablehlo.optimization_barrier %[[ONE:.*]], %[[ONE]] : tensor<3x6xi32>, tensor<3x6xi32>
// CHECK: "stablehlo.scatter"(%[[APART]]#0, %[[APART]]#1,
// RUN: tess partition --merge %s | FileCheck %s --check-prefix=MERGED --implicit-check-not=barrier
// MERGED: stablehlo.scatter
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 2 devices

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<6x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %u: tensor<6x2xi32>)
    -> (tensor<6x6xi32>, tensor<6x6xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<2xi32>
  %0:2 = "stablehlo.scatter"(%a, %a, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %q, %p : tensor<i32>, tensor<i32>
  }) : (tensor<6x6xi32>, tensor<6x6xi32>, tensor<2xi32>, tensor<6x2xi32>, tensor<6x2xi32>) -> (tensor<6x6xi32>, tensor<6x6xi32>)
  return %0#0, %0#1 : tensor<6x6xi32>, tensor<6x6xi32>
}
