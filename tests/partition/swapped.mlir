// What is transposed after a product, and after collectives that complete it, is computed in the other
// order.
// RUN: tess verify %s --tolerance 1e-3 | FileCheck %s --check-prefix=AGREE
// AGREE: 7 comparisons agree on 8 devices
// RUN: tess partition %s | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @main
// Summed over all devices.
// CHECK: %[[W:.*]] = stablehlo.dot_general %arg0, %arg1, {{.*}}-> tensor<64x128xf32>
// CHECK-NEXT: "stablehlo.all_reduce"(%[[W]])
// CHECK: (tensor<64x128xf32>) -> tensor<64x128xf32>
// Summed and split; several dimensions.
// CHECK: %[[W:.*]] = stablehlo.dot_general %arg0, %arg2, {{.*}}-> tensor<64x8x16xf32>
// CHECK-NEXT: "stablehlo.reduce_scatter"(%[[W]]) <{{.*}}scatter_dimension = 1
// CHECK: (tensor<64x8x16xf32>) -> tensor<64x1x16xf32>
// Another order of dimensions.
// CHECK: stablehlo.dot_general {{.*}}-> tensor<8x16x64xf32>
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 2, 0]
// A sum that is also read as it is.
// CHECK: stablehlo.dot_general {{.*}}-> tensor<128x64xf32>
// CHECK: stablehlo.transpose
// A product that is complete.
// CHECK: stablehlo.dot_general %arg4, %arg3, {{.*}}-> tensor<8x128xf32>
// Operands of different precision, and a batch.
// CHECK: stablehlo.dot_general {{.*}}-> tensor<128x64xf32>
// CHECK: stablehlo.transpose
// CHECK: stablehlo.dot_general {{.*}}-> tensor<512x8x8xf32>
// CHECK: stablehlo.transpose
func.func @main(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %g: tensor<4096x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %h: tensor<4096x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}, {}]>},
    %k: tensor<4096x128xf32>, %l: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>})
    -> (tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>},
        tensor<16x64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
        tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x4096x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}) {
  %0 = stablehlo.dot_general %g, %x, contracting_dims = [0] x [0] : (tensor<4096x128xf32>, tensor<4096x64xf32>) -> tensor<128x64xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.dot_general %h, %x, contracting_dims = [0] x [0] : (tensor<4096x8x16xf32>, tensor<4096x64xf32>) -> tensor<8x16x64xf32>
  %3 = stablehlo.transpose %2, dims = [2, 0, 1] : (tensor<8x16x64xf32>) -> tensor<64x8x16xf32>
  %s = stablehlo.sine %h : tensor<4096x8x16xf32>
  %4 = stablehlo.dot_general %s, %x, contracting_dims = [0] x [0] : (tensor<4096x8x16xf32>, tensor<4096x64xf32>) -> tensor<8x16x64xf32>
  %5 = stablehlo.transpose %4, dims = [1, 2, 0] : (tensor<8x16x64xf32>) -> tensor<16x64x8xf32>
  %t = stablehlo.sine %g : tensor<4096x128xf32>
  %6 = stablehlo.dot_general %t, %x, contracting_dims = [0] x [0] : (tensor<4096x128xf32>, tensor<4096x64xf32>) -> tensor<128x64xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %8 = stablehlo.reshape %6 : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %9 = stablehlo.add %7, %8 : tensor<64x128xf32>
  %10 = stablehlo.dot_general %k, %l, contracting_dims = [0] x [0] : (tensor<4096x128xf32>, tensor<4096x64xf32>) -> tensor<128x64xf32>
  %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %u = stablehlo.cosine %g : tensor<4096x128xf32>
  %12 = stablehlo.dot_general %u, %x, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4096x128xf32>, tensor<4096x64xf32>) -> tensor<128x64xf32>
  %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %14 = stablehlo.dot_general %h, %h, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4096x8x16xf32>, tensor<4096x8x16xf32>) -> tensor<4096x8x8xf32>
  %15 = stablehlo.transpose %14, dims = [2, 0, 1] : (tensor<4096x8x8xf32>) -> tensor<8x4096x8xf32>
  return %1, %3, %5, %9, %11, %13, %15 : tensor<64x128xf32>, tensor<64x8x16xf32>, tensor<16x64x8xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<8x4096x8xf32>
}
