// Running sums, products and maxima along a split dimension: each device reduces its block, and only these
// totals are gathered; forwards, backwards, where the last block is padded, by any body.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 7 comparisons agree on 8 devices

// CHECK: func.func public @main
// CHECK: %[[T:.*]] = "stablehlo.reduce_window"(%arg0, {{.*}}window_dimensions = array<i64: 1, 4>
// CHECK: "stablehlo.all_gather"(%[[T]]) {{.*}} : (tensor<4x1xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.concatenate {{.*}} : (tensor<4x1xf32>, tensor<4x4xf32>) -> tensor<4x5xf32>
// CHECK: %[[SUMS:.*]] = "stablehlo.reduce_window"{{.*}}padding = dense<{{\[\[}}0, 0], [4, 0]]>{{.*}}window_dimensions = array<i64: 1, 5>
// CHECK: stablehlo.slice %[[SUMS]] [0:4, 1:5]
// Backwards, along the other dimension.
// CHECK: all_gather{{.*}} : (tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK: stablehlo.concatenate {{.*}} : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
// CHECK: "stablehlo.reduce_window"{{.*}}padding = dense<{{\[\[}}0, 4], [0, 0]]>{{.*}}window_dimensions = array<i64: 5, 1>
// Of 14 elements, 4 to a device: the padding comes to no sum.
// CHECK: all_gather{{.*}} : (tensor<1xf32>) -> tensor<4xf32>
// CHECK: all_gather{{.*}} : (tensor<1xf32>) -> tensor<4xf32>
// A start that is no zero is in every window as often as there is padding: rows are exchanged.
// CHECK: all_to_all{{.*}} : (tensor<4x4xf32>) -> tensor<1x16xf32>
// CHECK: "stablehlo.reduce_window"{{.*}}window_dimensions = array<i64: 1, 16>
// Two operands at once.
// CHECK: all_gather{{.*}} : (tensor<4x1xf32>) -> tensor<4x4xf32>
// CHECK: all_gather{{.*}} : (tensor<4x1xi32>) -> tensor<4x4xi32>

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<14xf32>,
    %n: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<14xf32>, tensor<14xf32>,
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 16>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  %1 = "stablehlo.reduce_window"(%a, %one) <{padding = dense<[[0, 7], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.multiply %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  %b0 = sdy.sharding_constraint %b <@mesh, [{"y"}]> : tensor<14xf32>
  %2 = "stablehlo.reduce_window"(%b0, %least) <{padding = dense<[[13, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 14>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.maximum %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
  %3 = "stablehlo.reduce_window"(%b0, %zero) <{padding = dense<[[0, 13]]> : tensor<1x2xi64>, window_dimensions = array<i64: 14>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
  %4 = "stablehlo.reduce_window"(%a, %one) <{padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 16>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %5:2 = "stablehlo.reduce_window"(%a, %n, %least, %none) <{padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 16>}> ({
  ^bb0(%l: tensor<f32>, %i: tensor<i32>, %r: tensor<f32>, %k: tensor<i32>):
    %c = stablehlo.compare GE, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %c, %l, %r : tensor<i1>, tensor<f32>
    %t = stablehlo.select %c, %i, %k : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x16xf32>, tensor<8x16xi32>)
  %b1 = sdy.sharding_constraint %2 <@mesh, [{}]> : tensor<14xf32>
  %b2 = sdy.sharding_constraint %3 <@mesh, [{}]> : tensor<14xf32>
  return %0, %1, %b1, %b2, %4, %5#0, %5#1 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<14xf32>, tensor<14xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xi32>
}
