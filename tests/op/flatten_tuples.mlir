// REQUIRES: hlo
// Functions and calls take and give the values in tuples; what is numbered by them is renumbered.
// RUN: tess opt %s -flatten-tuples | FileCheck %s
// RUN: tess opt %s -flatten-tuples | tess opt - | FileCheck %s
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// CHECK: mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 3 : i64}, output_index = array<i64: 0>}, {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1>}]
// CHECK: func.func @main(%arg0: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]0,1}"}, %arg2: tensor<i32> {mhlo.sharding = "{replicated}"}, %arg3: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg4: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32>, tensor<8xf32>, tensor<i32> {jax.result_info = "x", mhlo.sharding = "{replicated}"})
// CHECK-NEXT: %0:2 = call @swap(%arg2, %arg3) : (tensor<i32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>)
// CHECK-NEXT: %1:2 = stablehlo.custom_call @thing(%arg2, %arg3, %arg4) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 2, operand_tuple_indices = []>]} : (tensor<i32>, tensor<4xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>)
// CHECK-NEXT: return %1#0, %arg1, %0#1 : tensor<8xf32>, tensor<8xf32>, tensor<i32>
// CHECK: func.func private @swap(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>)
// CHECK-NEXT: return %arg1, %arg0 : tensor<4xf32>, tensor<i32>
// CHECK: func.func private @outside(tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// SHARD: @main(%first: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}, %arg2: tensor<i32> {{{.*}}}, %arg3: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}
!pair = tuple<tensor<8xf32>, tuple<tensor<i32>, tensor<4xf32>>>
module attributes {mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64: 1, 1>, parameter_number = 1 : i64}, output_index = array<i64: 0>}, {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1, 0>}]} {
func.func @main(%first: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %t: !pair {mhlo.sharding = "{{devices=[2]0,1}, {replicated}, {devices=[2]<=[2]}}"}, %last: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32>, tuple<tensor<8xf32>>, tuple<tensor<i32>, tuple<>> {jax.result_info = "x", mhlo.sharding = "{{replicated}, {replicated}}"}) {
  %0 = stablehlo.get_tuple_element %t[0] : (!pair) -> tensor<8xf32>
  %1 = stablehlo.get_tuple_element %t[1] : (!pair) -> tuple<tensor<i32>, tensor<4xf32>>
  %2 = call @swap(%1) {xla_shape = "(f32[4], s32[])"} : (tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tensor<i32>>
  %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  %4 = stablehlo.tuple %0 : tuple<tensor<8xf32>>
  %e = stablehlo.tuple : tuple<>
  %5 = stablehlo.tuple %3, %e : tuple<tensor<i32>, tuple<>>
  %6 = stablehlo.custom_call @thing(%1, %last) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = [1]>, #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = []>]} : (tuple<tensor<i32>, tensor<4xf32>>, tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<4xf32>>
  %7 = stablehlo.get_tuple_element %6[0] : (tuple<tensor<8xf32>, tensor<4xf32>>) -> tensor<8xf32>
  return %7, %4, %5 : tensor<8xf32>, tuple<tensor<8xf32>>, tuple<tensor<i32>, tuple<>>
}
func.func private @swap(%t: tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tensor<i32>> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  %2 = stablehlo.tuple %1, %0 : tuple<tensor<4xf32>, tensor<i32>>
  return %2 : tuple<tensor<4xf32>, tensor<i32>>
}
func.func private @outside(tuple<tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<2xf32>>
}
