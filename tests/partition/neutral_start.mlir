// The start of a reduction counts once, but a neutral one may count on every device: none asks which it is.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 3 comparisons agree on 4 devices
// RUN: tess partition %s | FileCheck %s

sdy.mesh @mesh = <["x"=4]>

// CHECK-NOT: partition_id
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
// CHECK-NOT: partition_id
// CHECK: stablehlo.reduce(%arg0 init: %[[ZERO]])
// CHECK-NOT: partition_id
// CHECK: return
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%a init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<f32>
}
