// A part whose place is only known when the program runs is put together as a sum: of maxima that nobody has
// combined, that is done first.  What moves all elements moves the terms.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 3 comparisons agree on 4 devices
// RUN: tess partition %s | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"(%arg0)
// CHECK: stablehlo.maximum
// CHECK: stablehlo.transpose %arg0
func.func @main(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced=max{"x"}>},
                %at: tensor<i32>, %rows: tensor<2x1xi32>) -> (tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %at, %zero, sizes = [1, 4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x"}>]>} : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %1 = "stablehlo.gather"(%a, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"x"}>]>} : (tensor<6x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %2 = stablehlo.transpose %a, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced=max{"x"}>]>} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %0, %1, %2 : tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x6xf32>
}
