// jnp.roll along a split dimension exchanges the elements that cross a border of a block, in one
// permutation, whatever the direction; a shift by more than a block, in two that send a block
// together.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_to_all --implicit-check-not=all_gather
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 5 comparisons agree on 8 devices

// Forward by 2 along "x", and back: the other end is a neighbor, too.
// CHECK: stablehlo.slice %arg0 [2:4, 0:4]
// CHECK: "stablehlo.collective_permute"{{.*}}[6, 0], [7, 1], [0, 2]{{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: "stablehlo.collective_permute"{{.*}}[2, 0], [3, 1], {{.*}}[0, 6], [1, 7]{{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// Back by 6: a block has 4.
// CHECK: "stablehlo.collective_permute"{{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: "stablehlo.collective_permute"{{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// Along "y", of 2 devices, back by 1.
// CHECK: "stablehlo.collective_permute"{{.*}} : (tensor<4x1xf32>) -> tensor<4x1xf32>
// Continued periodically at both ends, in blocks of 5: devices 6 and 7 send to 0 and 1 and these to
// them, and everybody fetches what the new borders of its block require.
// CHECK-COUNT-4: "stablehlo.collective_permute"
// CHECK-NOT: "stablehlo.collective_permute"
// CHECK: return
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<20x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.slice %a [14:16, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.slice %a [0:14, 0:8] : (tensor<16x8xf32>) -> tensor<14x8xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x8xf32>, tensor<14x8xf32>) -> tensor<16x8xf32>
  %3 = stablehlo.slice %a [2:16, 0:8] : (tensor<16x8xf32>) -> tensor<14x8xf32>
  %4 = stablehlo.slice %a [0:2, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<14x8xf32>, tensor<2x8xf32>) -> tensor<16x8xf32>
  %6 = stablehlo.slice %a [6:16, 0:8] : (tensor<16x8xf32>) -> tensor<10x8xf32>
  %7 = stablehlo.slice %a [0:6, 0:8] : (tensor<16x8xf32>) -> tensor<6x8xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<10x8xf32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  %9 = stablehlo.slice %a [0:16, 1:8] : (tensor<16x8xf32>) -> tensor<16x7xf32>
  %10 = stablehlo.slice %a [0:16, 0:1] : (tensor<16x8xf32>) -> tensor<16x1xf32>
  %11 = stablehlo.concatenate %9, %10, dim = 1 : (tensor<16x7xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
  %12 = stablehlo.slice %a [14:16, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %13 = stablehlo.slice %a [0:2, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %14 = stablehlo.concatenate %12, %a, %13, dim = 0 : (tensor<2x8xf32>, tensor<16x8xf32>, tensor<2x8xf32>) -> tensor<20x8xf32>
  return %2, %5, %8, %11, %14 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<20x8xf32>
}
