// Convolutions split in space: forward, the gradient of the input (holes), and the gradient of
// the kernel (a window as large as the picture).  None is gathered.
// RUN: tess verify %s --devices 4 | FileCheck %s --check-prefix=AGREE
// AGREE: agree on 4 devices
// RUN: tess partition %s | FileCheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-NOT: all_gather
// CHECK: stablehlo.convolution{{.*}}stride = [2, 1], pad = {{\[\[}}0, 0], [1, 1]]
// CHECK-NOT: all_gather
// CHECK: stablehlo.convolution{{.*}}pad = {{\[\[}}1, 0], [1, 1]], lhs_dilate = [2, 1]
// CHECK-NOT: all_gather
// CHECK: stablehlo.convolution{{.*}}rhs_dilate = [2, 1]
// CHECK-NOT: all_gather
// CHECK: "stablehlo.reduce_window"
// CHECK: "stablehlo.all_reduce"
func.func @main(%in: tensor<1x16x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %out: tensor<1x8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %k: tensor<3x3x2x4xf32>, %t: tensor<3x3x4x2xf32>)
    -> (tensor<1x8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
        tensor<1x16x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
        tensor<3x3x2x4xf32>, tensor<1x32x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}) {
  %0 = stablehlo.convolution(%in, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = stablehlo.convolution(%out, %t) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 2], [1, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x16x8x2xf32>
  %2 = stablehlo.convolution(%in, %out) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x8x2xf32>, tensor<1x8x8x4xf32>) -> tensor<3x3x2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.reduce_window"(%in, %zero) <{base_dilations = array<i64: 1, 2, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1x16x8x2xf32>, tensor<f32>) -> tensor<1x32x8x2xf32>
  return %0, %1, %2, %3 : tensor<1x8x8x4xf32>, tensor<1x16x8x2xf32>, tensor<3x3x2x4xf32>, tensor<1x32x8x2xf32>
}
