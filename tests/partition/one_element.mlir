// One element of a split dimension, as x[-1] of stacked stages: the device that has it gives it, and all of
// them add up.  Nobody gathers the others.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_gather --implicit-check-not=collective_permute
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 5 comparisons agree on 8 devices

// CHECK: %[[ONE:.*]] = stablehlo.slice %arg0 [0:1, 0:16]
// CHECK: stablehlo.select %{{.*}}, %[[ONE]], %{{.*}} : tensor<i1>, tensor<1x16xf32>
// CHECK: all_reduce
// The fourth of seven over four is the second of the second block; two dimensions at once.
// CHECK: stablehlo.and
// CHECK-NEXT: stablehlo.slice %{{.*}} [1:2, 3:4]
// CHECK: all_reduce
// Where the result shall be split it moves no more than that.
// CHECK: "stablehlo.all_to_all"{{.*}} -> tensor<4x4xf32>
// With a window of another dimension, and of truth values.
// CHECK: stablehlo.slice %arg0 [0:1, 1:9]
// CHECK: all_reduce
// CHECK: stablehlo.slice %arg2 [0:1, 0:6]
// CHECK: all_reduce
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func public @main(
    %x: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<7x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}, {"model", ?}]>},
    %b: tensor<4x6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<16xf32>, tensor<i32>, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>},
        tensor<8xf32>, tensor<6xi1>) {
  %0 = stablehlo.slice %x [3:4, 0:16] : (tensor<4x16xf32>) -> tensor<1x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
  %n = stablehlo.concatenate %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>} : (tensor<7x8xi32>) -> tensor<7x8xi32>
  %2 = stablehlo.slice %n [3:4, 7:8] : (tensor<7x8xi32>) -> tensor<1x1xi32>
  %3 = stablehlo.reshape %2 : (tensor<1x1xi32>) -> tensor<i32>
  %4 = stablehlo.slice %x [1:2, 0:16] : (tensor<4x16xf32>) -> tensor<1x16xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x16xf32>) -> tensor<16xf32>
  %6 = stablehlo.slice %x [2:3, 1:9] : (tensor<4x16xf32>) -> tensor<1x8xf32>
  %7 = stablehlo.reshape %6 : (tensor<1x8xf32>) -> tensor<8xf32>
  %8 = stablehlo.slice %b [3:4, 0:6] : (tensor<4x6xi1>) -> tensor<1x6xi1>
  %9 = stablehlo.reshape %8 : (tensor<1x6xi1>) -> tensor<6xi1>
  return %1, %3, %5, %7, %9 : tensor<16xf32>, tensor<i32>, tensor<16xf32>, tensor<8xf32>, tensor<6xi1>
}
