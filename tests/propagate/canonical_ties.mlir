// RUN: tess opt %s '-sdy-basic-propagate=order=canonical debug-sharding-origins=true' | FileCheck %s
// Of offers by equally many elements that make equally many shards, the axis that comes first in the mesh
// wins, wherever it stands in the text.

// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, sdy.sharding_origins = {x = "output: 1"}})
// CHECK: stablehlo.negate {{.*}} [{"y", ?}]
// CHECK: stablehlo.abs {{.*}} [{"x", ?}]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.abs %a : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
