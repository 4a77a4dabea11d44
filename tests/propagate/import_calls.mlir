// Calls become named computations, with edges on what goes in and comes out.
// RUN: tess opt %s -sdy-propagate-sharding-from-func-to-call -sdy-import-func-calls -split-input-file | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0:2 = sdy.named_computation<"swap">(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{?}]>] out_shardings=[<@mesh, [{?}]>, <@mesh, [{"x"}]>] (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
// CHECK-NEXT: %3 = sdy.data_flow_edge %arg2 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: %4 = sdy.data_flow_edge %arg3 sharding=<@mesh, [{?}]> : tensor<8xf32>
// CHECK-NEXT: sdy.return %4, %3 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: } {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{?}]> : tensor<8xf32>
// CHECK-NEXT: %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: return %2 : tensor<8xf32>
// The call takes the shardings of the results, the computation those of the arguments.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = call @swap(%arg0, %arg1) {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#1 : tensor<8xf32>
}
func.func private @swap(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg1, %arg0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = sdy.named_computation<"leaf">(%arg0) (%arg1: tensor<8xf32>) {
// CHECK-NEXT: %2 = sdy.data_flow_edge %arg1 : tensor<8xf32>
// CHECK-NEXT: sdy.return %2 : tensor<8xf32>
// CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %1 = sdy.data_flow_edge %0 : tensor<8xf32>
// CHECK-NEXT: return %1 : tensor<8xf32>
// Callers come first.
func.func private @leaf(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @leaf(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What a composite is made of stays a function, though it is called as well.
// CHECK-LABEL: func.func @calls_a_decomposition(
// CHECK: sdy.named_computation<"half">(%arg0)
// CHECK: stablehlo.composite "a.half" %{{.*}} {decomposition = @half}
// CHECK: sdy.named_computation<"half">
// CHECK: func.func private @half(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: stablehlo.tanh
func.func @calls_a_decomposition(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @half(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.composite "a.half" %0 {decomposition = @half} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @half(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @half(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
