// Arguments that JAX donates without naming their results are paired as XLA does it after
// partitioning: largest first and in order, with results of the same size on one device.
// RUN: tess report %s --json | FileCheck %s

// %m and result 1 have 128 bytes on each of two devices, though their shardings differ; %w and
// result 0 have 64.  Nothing is as large as %x, 256; %b is not donated.
// CHECK: "arguments": 512,
// CHECK-NEXT: "results": 256,
// CHECK-NEXT: "donated": 192,
// CHECK-NOT: "role": "result"
// CHECK: "role": "result"
// CHECK-NOT: "role": "result"
sdy.mesh @mesh = <["x"=2]>
func.func @main(%w: tensor<4x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<16xf32>,
                %x: tensor<64xf32> {jax.buffer_donor = true},
                %m: tensor<8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x8xf32>, tensor<16xf32>) {
  %0 = stablehlo.add %w, %w : tensor<4x8xf32>
  %1 = stablehlo.add %m, %m : tensor<8x8xf32>
  %2 = stablehlo.slice %x [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %3 = stablehlo.add %b, %2 : tensor<16xf32>
  return %0, %1, %3 : tensor<4x8xf32>, tensor<8x8xf32>, tensor<16xf32>
}
