// A program whose operations name the axes of its mesh has no plan on a mesh without them.
// RUN: (tess plan %s --devices 8 --budget 20; echo status $?) 2>&1 | FileCheck %s
// CHECK: error[E0906]
// CHECK: status 1
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.all_slice [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<16x8xf32>
  %2 = sdy.all_gather [{"x"}, {"y"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
