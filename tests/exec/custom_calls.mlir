// RUN: tess eval %s --quiet
// Custom calls that are ops by another name, or a few of them.

// Random123's known answers for threefry2x32 of 20 rounds.
func.func @main() {
  %k0 = stablehlo.constant dense<[0, 4294967295, 320440878]> : tensor<3xui32>
  %k1 = stablehlo.constant dense<[0, 4294967295, 57701188]> : tensor<3xui32>
  %x0 = stablehlo.constant dense<[0, 4294967295, 608135816]> : tensor<3xui32>
  %x1 = stablehlo.constant dense<[0, 4294967295, 2242054355]> : tensor<3xui32>
  %w:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%k0, %k1, %x0, %x1) {api_version = 4 : i32} :
      (tensor<3xui32>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
  check.expect_eq_const %w#0, dense<[1797259609, 481924860, 3297917596]> : tensor<3xui32>
  check.expect_eq_const %w#1, dense<[2579123966, 3137350631, 1212020640]> : tensor<3xui32>

  // The best of a dimension, by the function that the call names, and by its name.
  %v = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.5, 9.0], [2.0, 7.0, 1.0, 8.0, 2.5]]> : tensor<2x5xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %worst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %b:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %worst, %none) {api_version = 1 : i32,
      called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32,
      reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} :
      (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %b#0, dense<[[9.0, 4.0], [8.0, 7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %b#1, dense<[[4, 2], [3, 1]]> : tensor<2x2xi32>
  %p:2 = stablehlo.custom_call @PartialReduce(%v, %i, %worst, %none) {called_computations = [@greater]} :
      (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x5xf32>, tensor<1x5xi32>)
  check.expect_eq_const %p#0, dense<[[3.0, 7.0, 4.0, 8.0, 9.0]]> : tensor<1x5xf32>
  %t:2 = stablehlo.custom_call @mhlo.topk(%v) {mhlo.attributes = {k = 1 : i64, largest = true}} :
      (tensor<2x5xf32>) -> (tensor<2x1xf32>, tensor<2x1xi32>)
  check.expect_eq_const %t#0, dense<[[9.0], [8.0]]> : tensor<2x1xf32>
  check.expect_eq_const %t#1, dense<[[4], [3]]> : tensor<2x1xi32>

  // Operations that older exports call by their names in MHLO.
  %z = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %e = stablehlo.custom_call @mhlo.erf(%z) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %e, dense<[0.0, 0.842700779]> : tensor<2xf32>
  return
}

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}
