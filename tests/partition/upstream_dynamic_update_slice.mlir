// An update at a global index, in a dimension that is split: it may reach over the border.
// RUN: tess verify %s | FileCheck %s
// CHECK: 2 comparisons agree on 2 devices
// RUN: tess partition %s | FileCheck %s --check-prefix=LOCAL
// LOCAL-NOT: all_gather
sdy.mesh @mesh = <["x"=2]>
func.func @main(%op: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<2xf32>, %i: tensor<i32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.dynamic_update_slice %op, %u, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %op, %u, %three : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
