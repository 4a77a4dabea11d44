// A search that keeps all that it finds gives a dimension of the size of the one that it searches.
// Shardy's rules take the two for the same; a device needs all of it nevertheless.
// RUN: tess verify %s | FileCheck %s
// RUN: tess opt %s -sdy-populate-op-sharding-rules | FileCheck %s --check-prefix=SHARDY
// CHECK: 6 comparisons agree on 4 devices
sdy.mesh @mesh = <["x"=4]>

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func @main(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xi32>,
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xi32>,
        tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 8) : tensor<8xf32> -> (tensor<8xf32>, tensor<8xi32>)
  // SHARDY: @mhlo.topk{{.*}}sharding_rule<([i])->([i], [i]) {i=8}>
  %1:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 8 : i64, largest = true}} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>)
  %at = stablehlo.iota dim = 0 : tensor<8x3xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  // SHARDY: @ApproxTopK{{.*}}sharding_rule<([i, j], [i, j], [], [])->([i, j], [i, j]) {i=8, j=3}>
  %2:2 = stablehlo.custom_call @ApproxTopK(%b, %at, %low, %none) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 8 : i64}} : (tensor<8x3xf32>, tensor<8x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8x3xf32>, tensor<8x3xi32>
}
