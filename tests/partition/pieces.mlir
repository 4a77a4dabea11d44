// Slices that together cut a split dimension into pieces of one size fetch them in one exchange, and so
// does the concatenation of such pieces: the gates of an LSTM, whose split goes through the gates.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 6 comparisons agree on 8 devices

// The dimension of 64 is 4 pieces of 16: each device has one piece, and wants a quarter of each.
// CHECK: func.func public @main
// CHECK-NOT: collective_permute
// CHECK: stablehlo.reshape %arg0 : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_to_all"{{.*}} : (tensor<2x1x16xf32>) -> tensor<2x4x4xf32>
// CHECK: stablehlo.slice %[[ALL]] [0:2, 3:4, 0:4]
// CHECK: stablehlo.slice %[[ALL]] [0:2, 0:1, 0:4]
// Backwards.
// CHECK: stablehlo.concatenate {{.*}} : (tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<2x4x4xf32>) -> tensor<2x1x16xf32>
// CHECK-NOT: collective_permute
// Two pieces over eight devices: together, too, a half of a block exchanged and put where it belongs.
// CHECK: stablehlo.reshape %arg1 : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<8x1x4xf32>) -> tensor<8x2x2xf32>
// CHECK: %[[TWO:.*]] = "stablehlo.collective_permute"{{.*}} : (tensor<8x2x2xf32>) -> tensor<8x2x2xf32>
// CHECK-NOT: collective_permute
// CHECK: stablehlo.slice %[[TWO]] [0:8, 1:2, 0:2]
// CHECK: stablehlo.slice %[[TWO]] [0:8, 0:1, 0:2]

sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func public @main(
    %z: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %g: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data", "model"}]>})
    -> (tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
        tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
        tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
        tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
        tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data", "model"}]>}) {
  %i = stablehlo.slice %z [0:4, 0:16] : (tensor<4x64xf32>) -> tensor<4x16xf32>
  %f = stablehlo.slice %z [0:4, 16:32] : (tensor<4x64xf32>) -> tensor<4x16xf32>
  %c = stablehlo.slice %z [0:4, 32:48] : (tensor<4x64xf32>) -> tensor<4x16xf32>
  %o = stablehlo.slice %z [0:4, 48:64] : (tensor<4x64xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.tanh %i : tensor<4x16xf32>
  %2 = stablehlo.tanh %f : tensor<4x16xf32>
  %3 = stablehlo.tanh %c : tensor<4x16xf32>
  %4 = stablehlo.tanh %o : tensor<4x16xf32>
  %5 = stablehlo.concatenate %1, %2, %3, %4, dim = 1 : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x64xf32>
  %a = stablehlo.slice %g [0:8, 0:16] : (tensor<8x32xf32>) -> tensor<8x16xf32>
  %b = stablehlo.slice %g [0:8, 16:32] : (tensor<8x32xf32>) -> tensor<8x16xf32>
  %6 = stablehlo.multiply %a, %b : tensor<8x16xf32>
  return %1, %2, %3, %4, %5, %6 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x64xf32>, tensor<8x16xf32>
}
