// Constraints reach the value they constrain, or its later users.
// RUN: tess opt %s -sdy-apply-sharding-constraints | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @dangling(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
// CHECK-NEXT: %1 = sdy.sharding_constraint %arg1 <@mesh, [{"x", ?}]> : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.sharding_constraint %arg2 <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: %3 = sdy.sharding_constraint %arg2 <@mesh, [{"y"}]> : tensor<8xf32>
// CHECK-NEXT: return %arg0 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @chain(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
// CHECK-NEXT: %1 = stablehlo.negate %0 : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
// CHECK-NEXT: %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}]> : tensor<8xf32>
// CHECK-NEXT: %4 = stablehlo.multiply %3, %1 : tensor<8xf32>
// CHECK-NEXT: return %4, %0 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @edge(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: %3 = sdy.data_flow_edge %0#1 : tensor<8xf32>
// CHECK-NEXT: %4 = sdy.sharding_constraint %3 <@mesh, [{"y"}]> : tensor<8xf32>
// CHECK-NEXT: %5 = stablehlo.negate %2 : tensor<8xf32>
// CHECK-NEXT: %6 = sdy.manual_computation(%4) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%arg2: tensor<4xf32>) {
// CHECK-NEXT: sdy.return %arg2 : tensor<4xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %5, %6 : tensor<8xf32>, tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=2]>
// A dangling constraint shards its operand; an open one does not, nor one of two that differ.
func.func @dangling(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %arg1 <@mesh, [{"x", ?}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg2 <@mesh, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %arg2 <@mesh, [{"y"}]> : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
// After a chain of constraints the last one is read.
func.func @chain(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}]> : tensor<8xf32>
  %4 = stablehlo.multiply %0, %1 : tensor<8xf32>
  return %4, %0 : tensor<8xf32>, tensor<8xf32>
}
// The target of an edge keeps its sharding; its users read the constraint.
func.func @edge(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 : tensor<8xf32>
  %3 = stablehlo.negate %1 : tensor<8xf32>
  %4 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<8xf32>
  %5 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%arg2: tensor<4xf32>) {
    sdy.return %arg2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %3, %5 : tensor<8xf32>, tensor<8xf32>
}
