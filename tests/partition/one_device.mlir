// RUN: tess opt %s -split-input-file --sdy-insert-explicit-reshards | FileCheck %s
// Operations on one device: operands come there by way of being replicated, results go back.

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @one = <[], device_ids=[1]>

// CHECK: func.func @operand_and_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.reshard %0 <@one, []> : tensor<8x8xf32>
// CHECK-NEXT: %2 = stablehlo.custom_call @foo(%1) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %4 = stablehlo.negate %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x8xf32>
// CHECK-NEXT: return %4 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @operand_and_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @foo(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @one = <[], device_ids=[0]>

// CHECK: func.func @two_results(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@one, []> : tensor<8xf32>
// CHECK-NEXT: %1 = sdy.reshard %arg1 <@one, []> : tensor<8xf32>
// CHECK-NEXT: %2:2 = stablehlo.custom_call @foo(%0, %1) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@one, []>]>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: %3 = sdy.reshard %2#0 <@mesh, [{}]> : tensor<8xf32>
// CHECK-NEXT: %4 = sdy.reshard %2#1 <@mesh, [{}]> : tensor<8xf32>
// CHECK-NEXT: %5 = sdy.reshard %4 <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK-NEXT: return %3, %5 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
func.func @two_results(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = stablehlo.custom_call @foo(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @one = <[], device_ids=[0]>

// CHECK: func.func @one_after_the_other(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@one, []> : tensor<8xf32>
// CHECK-NEXT: %1 = stablehlo.custom_call @foo(%0) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<8xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@one, []> : tensor<8xf32>
// CHECK-NEXT: %4 = stablehlo.custom_call @bar(%3) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %5 = sdy.reshard %4 <@mesh, [{}]> : tensor<8xf32>
// CHECK-NEXT: return %5 : tensor<8xf32>
// CHECK-NEXT: }
func.func @one_after_the_other(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @bar(%0) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
