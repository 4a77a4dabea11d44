// Dimensions that their shards do not divide grow; what is summed over is masked.
// RUN: sed '/^.. -----$/,$d' %s >%t.mlir
// RUN: tess opt %t.mlir -sdy-pad-for-divisibility | FileCheck %s
// RUN: tess opt %t.mlir -sdy-pad-for-divisibility -sdy-convert-global-to-local >%t.local
// RUN: tess verify %t.mlir --partitioned %t.local | FileCheck %s --check-prefix=AGREE
// RUN: (tess opt %s -split-input-file -sdy-pad-for-divisibility; true) 2>&1 | FileCheck %s --check-prefix=ERROR
// AGREE: 4 comparisons agree

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK: %[[PAD:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [1, 1]
// CHECK: %[[IN:.*]] = sdy.all_slice [{"x"}, {"y"}] %[[PAD]] out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x6xf32>
// CHECK: %[[EXP:.*]] = stablehlo.exponential %[[IN]]{{.*}} : tensor<8x6xf32>
// CHECK: stablehlo.iota dim = 0
// CHECK: %[[LIMIT:.*]] = stablehlo.constant dense<7> : tensor<i64>
// CHECK: %[[MASKED:.*]] = stablehlo.select
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[MASKED]] init: %{{.*}}) applies stablehlo.add {{.*}} (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK: %[[DOT:.*]] = stablehlo.dot_general {{.*}} (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
// A reversal would bring what is beyond the end to the beginning.
// CHECK: %[[WHOLE:.*]] = stablehlo.slice {{.*}} -> tensor<7x5xf32>
// CHECK: stablehlo.reverse %[[WHOLE]], dims = [0] {{.*}} : tensor<7x5xf32>
func.func @main(%a: tensor<7x5xf32>, %b: tensor<5x5xf32>) -> (tensor<5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<5x7xf32>) {
  %0 = sdy.all_slice [{"x"}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<7x5xf32>
  %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<7x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<7x5xf32>, tensor<f32>) -> tensor<5xf32>
  %3 = sdy.all_reduce {"x"} %2 out_sharding=<@mesh, [{"y"}]> : tensor<5xf32>
  %4 = sdy.all_gather [{"y"}] %3 out_sharding=<@mesh, [{}]> : tensor<5xf32>
  %5 = sdy.all_slice [{"y"}, {}] %b out_sharding=<@mesh, [{"y"}, {}]> : tensor<5x5xf32>
  %6 = stablehlo.dot_general %1, %5, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<7x5xf32>, tensor<5x5xf32>) -> tensor<7x5xf32>
  %7 = sdy.all_reduce {"y"} %6 out_sharding=<@mesh, [{"x"}, {}]> : tensor<7x5xf32>
  %8 = sdy.all_gather [{"x"}, {}] %7 out_sharding=<@mesh, [{}, {}]> : tensor<7x5xf32>
  %9 = stablehlo.reverse %7, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<7x5xf32>
  %10 = sdy.all_gather [{"x"}, {}] %9 out_sharding=<@mesh, [{}, {}]> : tensor<7x5xf32>
  %11 = stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<7x5xf32>) -> tensor<5x7xf32>
  %12 = sdy.all_gather [{"y"}, {"x"}] %11 out_sharding=<@mesh, [{}, {}]> : tensor<5x7xf32>
  return %4, %8, %10, %12 : tensor<5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<5x7xf32>
}
// -----
sdy.mesh @mesh = <["x"=4]>
// ERROR: :77: error[E0606]: argument 0 of @argument has a dimension of 7 elements in 4 shards
func.func @argument(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
}
// -----
sdy.mesh @mesh = <["x"=4]>
// ERROR: :94: error[E0606]: result 0 of @result has a dimension of 7 elements in 4 shards
func.func @result(%a: tensor<7xf32>) -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %a : tensor<7xf32>
}
