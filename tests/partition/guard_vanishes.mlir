// What XLA simplifies away does not keep it from making a dynamic_slice of a scatter behind this device's
// part: a choice between x and x is x.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 1 comparison agrees on 2 devices
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice
// CHECK: %[[CHOSEN:.*]] = stablehlo.select %arg2, %[[PART]], %[[PART]]
// CHECK: %[[APART:.*]] = stablehlo.optimization_barrier %[[CHOSEN]]
// CHECK: "stablehlo.scatter"(%[[APART]]

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %i: tensor<1xi32>, %p: tensor<i1>)
    -> (tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %b = stablehlo.select %p, %a, %a : tensor<i1>, tensor<8x6xi32>
  %u = stablehlo.constant dense<3> : tensor<6xi32>
  %1 = "stablehlo.scatter"(%b, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x6xi32>, tensor<1xi32>, tensor<6xi32>) -> tensor<8x6xi32>
  return %1 : tensor<8x6xi32>
}
