// Heads that are split off a dimension, and merged again, shrink with it; what a convolution or a
// manual computation says in numbers stays as it is.
// RUN: tess verify %s --shrink | FileCheck %s
// CHECK: 4 comparisons agree on 4 devices

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%a: tensor<1048576x1048576xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %image: tensor<4x6x6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>},
                %kernel: tensor<3x3x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"y"}]>},
                %small: tensor<8x4xf32>)
    -> (tensor<1048576x1048576xf32>, tensor<1024x1024x1048576xf32>, tensor<4x4x4x8xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.reshape %a : (tensor<1048576x1048576xf32>) -> tensor<1048576x32x32768xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<1048576x32x32768xf32>) -> tensor<1048576x32768x32xf32>
  %2 = stablehlo.reshape %1 : (tensor<1048576x32768x32xf32>) -> tensor<1048576x1048576xf32>
  %3 = stablehlo.reshape %a : (tensor<1048576x1048576xf32>) -> tensor<1024x1024x1048576xf32>
  %4 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x6x3xf32>, tensor<3x3x3x8xf32>) -> tensor<4x4x4x8xf32>
  %5 = sdy.manual_computation(%small) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %6 = stablehlo.add %b, %b : tensor<4x4xf32>
    sdy.return %6 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2, %3, %4, %5 : tensor<1048576x1048576xf32>, tensor<1024x1024x1048576xf32>, tensor<4x4x4x8xf32>, tensor<8x4xf32>
}
