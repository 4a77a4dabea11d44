// RUN: tess opt %s | FileCheck %s
// Where the operation implies the kind of an attribute, it may be written in full, too.

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]>
sdy.mesh @mesh = #sdy.mesh<["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.all_gather #sdy<list_of_axis_ref_lists[{"x"}, {}]> %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
