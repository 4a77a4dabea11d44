// RUN: tess opt %s -sdy-add-func-data-flow-edges -sdy-aggressive-propagate -sdy-sink-func-data-flow-edges | FileCheck %s
// Between edges a sharding goes into a called function, through it, and to all who call it.

// CHECK-NOT: edge
// CHECK: call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>}
// CHECK: stablehlo.negate {{.*}} [{"x", ?}]
// CHECK: call @f(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>}
// CHECK: func.func private @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>})
// CHECK: stablehlo.abs {{.*}} [{"x", ?}]
// CHECK-NOT: edge
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = call @f(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.abs %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
