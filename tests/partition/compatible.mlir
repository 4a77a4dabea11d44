// What sound-reductions and sdy-compatible change: reductions that no sharding can say, and custom
// rules.  What a custom rule wants has a prefix of its own, since it comes by default.
// RUN: tess opt %s -sdy-insert-explicit-reshards='enable-full-version=true' 2>%t | FileCheck %s --check-prefixes=SHARDY,CUSTOM
// RUN: FileCheck %s --check-prefix=WARN <%t
// RUN: tess opt %s -sdy-insert-explicit-reshards='enable-full-version=true sdy-compatible=true' 2>%t | FileCheck %s --check-prefixes=SHARDY,ALONE
// RUN: FileCheck %s --check-prefix=WARN <%t
// RUN: tess opt %s -sdy-insert-explicit-reshards='enable-full-version=true sound-reductions=true' 2>%t | FileCheck %s --check-prefixes=RIGHT,CUSTOM
// RUN: test ! -s %t

sdy.mesh @mesh = <["x"=2]>

// The product of all elements is not the sum of the products of parts.
// RIGHT-LABEL: func.func @product
// RIGHT-NEXT: constant
// RIGHT-NEXT: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}]>
// RIGHT-NEXT: %[[OUT:.*]] = stablehlo.reduce(%[[WHOLE]]
// RIGHT-NEXT: return %[[OUT]]
// SHARDY-LABEL: func.func @product
// SHARDY: stablehlo.reduce(%arg0
// SHARDY-NEXT: sdy.all_reduce {"x"}
// WARN: [[@LINE+4]]:8: warning[W0624]: the all_reduce behind 'stablehlo.reduce' sums the parts of result 0
func.func @product(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.multiply across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// All true: the minimum of the parts, not their sum.
// RIGHT-LABEL: func.func @all
// RIGHT: sdy.all_reduce min {"x"}
// SHARDY-LABEL: func.func @all
// SHARDY: sdy.all_reduce {"x"}
// WARN: [[@LINE+4]]:8: warning[W0624]: the all_reduce behind 'stablehlo.reduce' sums the parts of result 0
func.func @all(%arg0: tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<i1> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.and across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// A maximum is one either way, without a warning.
// RIGHT-LABEL: func.func @largest
// RIGHT: sdy.all_reduce max {"x"}
// SHARDY-LABEL: func.func @largest
// SHARDY: sdy.all_reduce max {"x"}
// WARN-NOT: warning
func.func @largest(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// So is that of a scatter whose updates are split.
// RIGHT-LABEL: func.func @scattered
// RIGHT: sdy.all_reduce max {"x"}
// SHARDY-LABEL: func.func @scattered
// SHARDY: sdy.all_reduce max {"x"}
// WARN-NOT: warning
func.func @scattered(%arg0: tensor<12xf32>, %i: tensor<4x1xi32>,
                     %u: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> tensor<12xf32> {
  %0 = "stablehlo.scatter"(%arg0, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<12xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// A custom rule says that the operands go together: one of them is resharded.
// CUSTOM-LABEL: func.func @custom
// CUSTOM-NEXT: %[[IN:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}]>
// CUSTOM-NEXT: stablehlo.custom_call @foo(%arg0, %[[IN]])
// ALONE-LABEL: func.func @custom
// ALONE-NEXT: stablehlo.custom_call @foo(%arg0, %arg1)
func.func @custom(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.custom_call @foo(%arg0, %arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=8}, custom>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
