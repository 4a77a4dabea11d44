// For XLA's CPU client, products of tensors whose first dimensions are summed are products of matrices.
// RUN: tess partition --target cpu %s | FileCheck %s
// RUN: tess partition --target h100x8 %s | FileCheck %s --check-prefix=GPU
// RUN: tess verify --target cpu %s --tolerance 1e-3 | FileCheck %s --check-prefix=AGREE
// AGREE: 5 comparisons agree on 8 devices
// GPU-NOT: reshape

sdy.mesh @mesh = <["x"=8]>

// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0 {{.*}}-> tensor<512x64xf32>
// CHECK: %[[G:.*]] = stablehlo.reshape %arg1 {{.*}}-> tensor<512x128xf32>
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[X]], %[[G]], contracting_dims = [0] x [0]{{.*}}-> tensor<64x128xf32>
// CHECK: %[[R:.*]] = stablehlo.reshape %[[P]] {{.*}}-> tensor<64x8x16xf32>
// Matrices, an operand of which nothing is kept, sums over other dimensions, and batches remain.
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0], {{.*}}(tensor<64x8xf32>, tensor<64x8xf32>)
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1, 0] x [1, 0]
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0]
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0, 1] x [0, 1]{{.*}}-> tensor<8x16xf32>
// CHECK: "stablehlo.all_reduce"(%[[R]])
func.func @main(%x: tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
    %g: tensor<64x64x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>},
    %m: tensor<64x8xf32>, %w: tensor<64x64xf32>)
    -> (tensor<64x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<8x8xf32>, tensor<64x64xf32>, tensor<64x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
        tensor<8x16xf32>) {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<64x64x64xf32>, tensor<64x64x8x16xf32>) -> tensor<64x8x16xf32>
  %1 = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.dot_general %x, %x, contracting_dims = [1, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %4 = stablehlo.dot_general %w, %g, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<64x64xf32>, tensor<64x64x8x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2, %3, %4 : tensor<64x8x16xf32>, tensor<8x8xf32>, tensor<64x64xf32>, tensor<64x64x64xf32>, tensor<8x16xf32>
}
