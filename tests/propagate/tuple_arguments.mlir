// The sharding of an argument after a tuple spreads like that of any other.
// RUN: tess shard %s | FileCheck %s
// CHECK: func.func @main(%arg0: tensor<4xf32>, %{{.*}}: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK-NEXT: stablehlo.add {{.*}}[<@mesh, [{"x"}]>]
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tuple<tensor<4xf32>, tensor<8xf32>>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4xf32>, tensor<8xf32>>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
