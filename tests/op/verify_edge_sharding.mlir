// RUN: (tess partition %s; echo status $?) 2>&1 | FileCheck %s
// Every operation that has shardings of its results is asked whether its mesh has the axes, edges too.
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK: verify_edge_sharding.mlir:5:89: error[E0214]: unknown axis "b"
// CHECK: status 1
