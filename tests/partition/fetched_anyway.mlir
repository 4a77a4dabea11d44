// What is going to be fetched anyway is fetched where it helps first: a value that is returned whole, or
// that a transform over all its dimensions takes whole.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 5 comparisons agree on 8 devices

// CHECK: func.func public @main
// The transform of rows has whole rows then, and the transform of all has all.
// CHECK: %[[Z:.*]] = "stablehlo.all_gather"{{.*}} -> tensor<8x4x4xcomplex<f32>>
// CHECK-NOT: stablehlo.all
// CHECK: stablehlo.fft {{.*}} length = [16]
// CHECK-NOT: stablehlo.all
// CHECK: stablehlo.fft {{.*}} length = [8, 16]
// Three results that are whole: both operands are gathered once, no result is.
// CHECK: "stablehlo.all_gather"{{.*}} -> tensor<8x4x4xf32>
// CHECK: "stablehlo.all_gather"{{.*}} -> tensor<8x2x8xf32>
// CHECK-NOT: stablehlo.all
// CHECK: return

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(
    %z: tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.fft %z, type = FFT, length = [16] : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
  %1 = stablehlo.fft %z, type = FFT, length = [8, 16] : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
  %2 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %3 = stablehlo.maximum %a, %b : tensor<8x16xf32>
  %4 = stablehlo.minimum %a, %b : tensor<8x16xf32>
  return %0, %1, %2, %3, %4 : tensor<8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>, tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
