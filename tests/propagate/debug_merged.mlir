// RUN: tess opt %s -split-input-file '-sdy-apply-sharding-constraints=debug-sharding-origins=true debug-propagation-edge-sharding=true' '-sdy-basic-propagate=debug-sharding-origins=true debug-propagation-edge-sharding=true' | FileCheck %s
// The first half of an axis on one dimension and the second half on the next are the whole axis on the
// dimension that both become.

// CHECK: stablehlo.reshape %arg0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = operand-0 -> [result-0]}]}]>
// CHECK-SAME: [<@mesh, [{"y", ?}]>]
// CHECK-SAME: sdy.sharding_origins = [{y = "input: 0"}]
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<2x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"y":(2)2}, {}]>}) -> tensor<32xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x2x8xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// A constraint gives its sharding to what it constrains: that is the first step.
// CHECK: stablehlo.add {{.*}} sdy.sharding_origins = [{x = "constraint_0"}]
// CHECK: sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = result-0 -> [operand-0]}]}]>
// CHECK-SAME: sdy.sharding_origin_name = "constraint_0"
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.negate %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
