// RUN: tess opt %s -split-input-file -sdy-insert-explicit-reshards -verify-diagnostics | FileCheck %s
// Axes become unreduced explicitly; what cannot be is refused.

// CHECK: %[[SUM:.*]] = sdy.replicated_to_unreduced {"x"} %0 out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<8x8xf32>
// CHECK: return %[[SUM]]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @gained(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["z"=4]>
func.func @meshes(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"z"}, {}]>}) {
  // expected-error @+1 {{has an unreduced operand on another mesh than its result}}
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"z"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @lost(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) {
  // expected-error @+1 {{has an unreduced operand, but no result}}
  stablehlo.custom_call @send(%a) {has_side_effect = true} : (tensor<8x8xf32>) -> ()
  return
}
