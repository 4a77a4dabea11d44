// A dimension of three factors whose axes overflow: Shardy's debugging options ended its
// process here.  "b" fits the factor of 2, "a" fits none of the others.
// RUN: tess opt %s -sdy-basic-propagate='debug-sharding-origins=true debug-propagation-edge-sharding=true' | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<30x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>, sdy.sharding_origins = {a = "self", b = "self"}})
// CHECK-SAME: -> (tensor<2x3x5x8xf32> {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"b" = operand-0 -> [result-0]}]}]>
// CHECK: stablehlo.reshape %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"b" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}, {?}, {?}, {?}]>]>, sdy.sharding_origins = [{b = "input: 0"}]}
sdy.mesh @mesh = <["a"=7, "b"=2]>
func.func @main(%arg0: tensor<30x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>}) -> tensor<2x3x5x8xf32> {
  %0 = stablehlo.reshape %arg0 : (tensor<30x8xf32>) -> tensor<2x3x5x8xf32>
  return %0 : tensor<2x3x5x8xf32>
}
