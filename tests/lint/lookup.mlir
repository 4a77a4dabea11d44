// Rows of a table are looked up by number, and the table is sharded by rows.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%table: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<512x1xi32>) -> tensor<512x1024xf32> {
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1024>}> : (tensor<4096x1024xf32>, tensor<512x1xi32>) -> tensor<512x1024xf32>
// CHECK: lookup.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L16]:
  return %0 : tensor<512x1024xf32>
}
