// The first element of a split dimension, split in the same way, is on the first device already:
// what the others have is padding, so that nothing is sent. This holds for a pad that cuts, too.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_to_all --implicit-check-not=all_gather --implicit-check-not=collective_permute
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 4 devices

// CHECK: return
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [0:1, 0:8] : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %1 = stablehlo.pad %0, %zero, low = [0, 0], high = [15, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  %2 = stablehlo.pad %a, %zero, low = [0, 0], high = [-15, 0], interior = [0, 0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 0], high = [15, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %1, %3 : tensor<16x8xf32>, tensor<16x8xf32>
}
