// What a collective costs besides its bytes is in proportion to the largest value of a program, so that a
// model cut down is partitioned as the large one is: two exchanges receive half of what one gather does.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 4 devices
// Beside a large value 384 bytes are not worth a second collective.
// RUN: sed 's/8x4xf32/8192x4096xf32/g' %s | tess partition - | FileCheck %s --check-prefix=BESIDE

// CHECK: all_to_all
// CHECK: stablehlo.sort
// CHECK: all_to_all
// BESIDE-NOT: all_to_all
// BESIDE: all_gather
// BESIDE-NOT: all_to_all

sdy.mesh @mesh = <["x"=4]>
func.func public @main(
    %a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %2 = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.negate %b : tensor<8x4xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<8x4xf32>
}
