// RUN: tess verify %s | FileCheck %s
// The functions that a custom call names go along with it.
// CHECK: 2 comparisons agree on 2 devices

sdy.mesh @mesh = <["x"=2]>
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %k: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%v: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %worst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %b:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %worst, %none) {api_version = 1 : i32,
      called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32,
      reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} :
      (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %b#0, %b#1 : tensor<4x2xf32>, tensor<4x2xi32>
}
