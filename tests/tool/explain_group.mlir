// RUN: tess explain %s %%b | FileCheck %s
// An axis that came by way of a sharding group, back to the annotation.
// CHECK: %b dim 0: from %1 dim 0 through negate
// CHECK-NEXT: %1 dim 0: from %0, a member of its sharding group
// CHECK-NEXT: %0 dim 0: from %a dim 0 through add
// CHECK-NEXT: %a dim 0: annotated in the program, argument 0
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x8xf32>
  %1 = stablehlo.negate %b : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=7 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=7 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
