// Values over another mesh of the program are left as they are, and a mesh of another shape that lacks
// the parts of axes that the program names is no advice.
// RUN: tess advise %s | FileCheck %s
// CHECK: advise_meshes.mlir on h100x8, 8 devices, x=4 x y=2
// CHECK: changes tried
// RUN: tess advise %s --json | FileCheck %s --check-prefix=JSON
// JSON-NOT: "kind": "mesh"
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @flat = <["all"=8]>
func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {}]>},
                %b: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"all"}, {}]>}) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %0 = stablehlo.tanh %a : tensor<64x8xf32>
  %1 = stablehlo.tanh %b : tensor<64x8xf32>
  return %0, %1 : tensor<64x8xf32>, tensor<64x8xf32>
}
