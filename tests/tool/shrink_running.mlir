// A running sum shrinks with its dimension: four terabytes become a few elements.
// RUN: tess verify %s --shrink | FileCheck %s
// CHECK: 2 comparisons agree on 4 devices

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<1048576x1048576xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1048576x1048576xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<1048576x1048576xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[0, 0], [1048575, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1048576>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1048576x1048576xf32>, tensor<f32>) -> tensor<1048576x1048576xf32>
  %1 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[0, 1048575], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1048576, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1048576x1048576xf32>, tensor<f32>) -> tensor<1048576x1048576xf32>
  return %0, %1 : tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>
}
