// Random inputs of which a root or logarithm is taken are positive, as the second moments of an
// optimizer are, also where they are scaled and added to before; others are not.
// RUN: tess verify %s | FileCheck %s
// CHECK: 3 comparisons agree on 4 devices
sdy.mesh @mesh = <["x"=4]>
func.func @main(%nu: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %g: tensor<64xf32>, %m: tensor<64xbf16>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<i1>) {
  %b2 = stablehlo.constant dense<0.999> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %b2, dims = [] : (tensor<f32>) -> tensor<64xf32>
  %g2 = stablehlo.multiply %g, %g : tensor<64xf32>
  %old = stablehlo.multiply %b, %nu : tensor<64xf32>
  %new = stablehlo.add %old, %g2 : tensor<64xf32>
  %root = stablehlo.sqrt %new : tensor<64xf32>
  %log = stablehlo.log %m : tensor<64xbf16>
  %one = stablehlo.compare EQ, %root, %root : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  %two = stablehlo.compare EQ, %log, %log : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<64xi1>
  %numbers = stablehlo.and %one, %two : tensor<64xi1>
  check.expect_eq_const %numbers, dense<true> : tensor<64xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<64xf32>
  %negative = stablehlo.compare LT, %g, %zero : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %any = stablehlo.reduce(%negative init: %no) applies stablehlo.or across dimensions = [0] : (tensor<64xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %any, dense<true> : tensor<i1>
  return %root, %log, %any : tensor<64xf32>, tensor<64xbf16>, tensor<i1>
}
