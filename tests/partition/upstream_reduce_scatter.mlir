// A reduce_scatter into two of three dimensions, with and without the option that combines them.
// RUN: tess opt %s -sdy-convert-global-to-local=combine-multi-dimension-reduce-scatter=true >%t.one
// RUN: tess verify %s --partitioned %t.one | FileCheck %s
// RUN: tess opt %s -sdy-convert-global-to-local >%t.two
// RUN: tess verify %s --partitioned %t.two | FileCheck %s
// CHECK: 1 comparison agrees on 4 devices
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
    %b: tensor<8x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}, {}]>})
    -> (tensor<4x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<4x8xf32>, tensor<8x4x3xf32>) -> tensor<4x4x3xf32>
  %1 = sdy.reduce_scatter [{"x"}, {"y"}, {}] %0 out_sharding=<@mesh, [{"x"}, {"y"}, {}]> : tensor<4x4x3xf32>
  return %1 : tensor<4x4x3xf32>
}
