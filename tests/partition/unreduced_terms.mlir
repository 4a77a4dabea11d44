// What is linear in an unreduced value is computed on its terms, where its result is unreduced, too.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 16 comparisons agree on 4 devices
// RUN: tess partition %s | FileCheck %s

// CHECK: %[[SUM:.*]] = stablehlo.dot_general
// CHECK-NOT: all_reduce
// CHECK: stablehlo.transpose %[[SUM]]
// CHECK-NOT: all_reduce
// CHECK: stablehlo.convert
// CHECK-NOT: all_reduce
// CHECK: stablehlo.concatenate
// CHECK-NOT: all_reduce
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: all_reduce
// CHECK: stablehlo.reduce
// CHECK-NOT: all_reduce
// CHECK: stablehlo.dot_general %[[SUM]]
// CHECK-NOT: all_reduce
// CHECK: stablehlo.select
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"
// CHECK: stablehlo.divide %{{.*}}, %[[ALL]]
// CHECK: stablehlo.multiply %[[ALL]], %[[ALL]]

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(
    %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %c: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
    %at: tensor<i32>, %value: tensor<f32>, %rows: tensor<2x1xi32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xbf16>, tensor<3x6x4xf32>, tensor<24xf32>, tensor<5x3xf32>,
        tensor<6x8xf32>, tensor<8x5xf32>, tensor<1x4xf32>, tensor<6x4xf32>, tensor<2x4xf32>, tensor<4x6xcomplex<f32>>,
        tensor<4xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %sum = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %0 = sdy.sharding_constraint %sum <@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<4x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<6x4xf32>
  %scale = stablehlo.broadcast_in_dim %value, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
  %3 = stablehlo.multiply %2, %scale {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : tensor<6x4xf32>
  %4 = stablehlo.convert %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>) -> tensor<6x4xbf16>
  %5 = stablehlo.broadcast_in_dim %2, dims = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>) -> tensor<3x6x4xf32>
  %6 = stablehlo.reshape %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : (tensor<6x4xf32>) -> tensor<24xf32>
  %7 = stablehlo.slice %2 [1:6, 0:3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>) -> tensor<5x3xf32>
  %flipped = stablehlo.reverse %2, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : tensor<6x4xf32>
  // What is complete counts once: the operand of a concatenation, padding, what is replaced.
  %turned = stablehlo.transpose %c, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %8 = stablehlo.concatenate %flipped, %turned, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %9 = stablehlo.pad %2, %value, low = [1, 0], high = [1, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>, tensor<f32>) -> tensor<8x5xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %10 = stablehlo.dynamic_slice %2, %at, %zero, sizes = [1, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %11 = stablehlo.dynamic_update_slice %turned, %10, %at, %zero {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
  %12 = "stablehlo.gather"(%2, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<6x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %13 = stablehlo.complex %0, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : tensor<4x6xcomplex<f32>>
  // A sum of a sum goes on: along both axes.
  %14 = stablehlo.reduce(%2 init: %value) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x", "y"}>]>} : (tensor<6x4xf32>, tensor<f32>) -> tensor<4xf32>
  %15 = stablehlo.dot_general %0, %turned, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>} : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %chosen = stablehlo.compare GT, %turned, %scale : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xi1>
  %16 = stablehlo.select %chosen, %2, %turned {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : tensor<6x4xi1>, tensor<6x4xf32>
  // These are not linear in a sum: it is completed first.
  %17 = stablehlo.divide %scale, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : tensor<6x4xf32>
  %18 = stablehlo.multiply %2, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : tensor<6x4xf32>
  return %2, %17, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %18 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xbf16>, tensor<3x6x4xf32>, tensor<24xf32>, tensor<5x3xf32>,
        tensor<6x8xf32>, tensor<8x5xf32>, tensor<1x4xf32>, tensor<6x4xf32>, tensor<2x4xf32>, tensor<4x6xcomplex<f32>>,
        tensor<4xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
