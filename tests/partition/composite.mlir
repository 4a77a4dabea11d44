// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s
// A composite is partitioned like a call of its decomposition; where it is copied, what it calls is
// copied, too.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func private @divide.impl(
// CHECK:       stablehlo.divide %arg0, %arg1 : tensor<4x6xf32>
// CHECK-LABEL: func.func private @soft.impl(
// CHECK:       call @divide.impl({{.*}}) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-LABEL: func.func @main(
// CHECK:       call @soft.impl(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.composite "my.soft" %x {composite_attributes = {axis = 1 : i64}, decomposition = @soft.impl} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
func.func private @soft.impl(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<8x6xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x6xf32>
  %r = stablehlo.composite "my.divide" %e, %b {decomposition = @divide.impl} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}
func.func private @divide.impl(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = stablehlo.divide %a, %b : tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}
