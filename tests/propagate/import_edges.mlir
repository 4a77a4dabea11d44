// An edge for each value that control flow carries; tokens have none.
// RUN: tess opt %s -sdy-add-data-flow-edges | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @while(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
// CHECK-NEXT: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
// CHECK-NEXT: cond {
// CHECK-NEXT: %3 = stablehlo.compare LT, %iterArg_0, %iterArg_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %3 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %3 = stablehlo.add %iterArg, %iterArg : tensor<8xf32>
// CHECK-NEXT: stablehlo.return %3, %iterArg_0 : tensor<8xf32>, tensor<i32>
// CHECK-NEXT: }
// CHECK-NEXT: %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, []> : tensor<i32>
// CHECK-NEXT: return %1 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
// CHECK-NEXT: %2 = sdy.data_flow_edge %arg1 sharding=<@mesh, [{"y"}]> : tensor<4xf32>
// CHECK-NEXT: sdy.return %2 : tensor<4xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x", ?}]> : tensor<8xf32>
// CHECK-NEXT: return %1 : tensor<8xf32>
// CHECK-NEXT: }
// CHECK-LABEL: func.func @case(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
// CHECK-NEXT: %0:2 = "stablehlo.case"(%arg0) ({
// CHECK-NEXT: stablehlo.return %arg1, %arg2 : tensor<8xf32>, !stablehlo.token
// CHECK-NEXT: }) : (tensor<i32>) -> (tensor<8xf32>, !stablehlo.token)
// CHECK-NEXT: %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
// CHECK-NEXT: return %1, %0#1 : tensor<8xf32>, !stablehlo.token
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @while(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
    cond {
    %1 = stablehlo.compare LT, %iterArg_0, %iterArg_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg, %iterArg : tensor<8xf32>
    stablehlo.return %1, %iterArg_0 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}
// The body of a manual computation sees its arguments without the manual axes.
func.func @manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @case(%arg0: tensor<i32>, %arg1: tensor<8xf32>, %arg2: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1, %arg2 : tensor<8xf32>, !stablehlo.token
  }) : (tensor<i32>) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<8xf32>, !stablehlo.token
}
