// jax.ffi marks calls of targets that are registered as batch partitionable: their dimensions of batch
// are cut alike, and each device makes its own calls.  Without the mark the operand is gathered.
// RUN: tess partition %s --bare 2>/dev/null | FileCheck %s
// RUN: tess verify %s
// CHECK-NOT: all_gather
// CHECK: custom_call @lapack_sgeqrf_ffi({{.*}} : (tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4xf32>)
// CHECK: all_gather
// CHECK: custom_call @lapack_sgeqrf_ffi({{.*}} : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<8x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<8x4x5xf32>) {
  %q, %tau = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"},
      operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]}
      : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)
  %r, %tau2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {mhlo.backend_config = {},
      operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]}
      : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)
  return %q, %r : tensor<8x4x5xf32>, tensor<8x4x5xf32>
}
