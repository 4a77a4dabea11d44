// --reshard-policy sdy: a constraint is a reshard, as it is in Shardy's pipeline, and not an operation whose
// operand and result agree on axes: those would both split a dimension and be unreduced.
// RUN: tess verify %s --reshard-policy sdy | FileCheck %s
// CHECK: 1 comparison agrees on 2 devices
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<4x6xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{?}, {?}], unreduced={"a"}> : tensor<4x6xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}]> : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
