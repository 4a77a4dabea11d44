// RUN: tess eval %s --quiet
// Short ranges that lie at two distances from one another, as those of a slice do.

func.func @main() {
  %x = stablehlo.iota dim = 0 : tensor<160xf32>
  %y = stablehlo.reshape %x : (tensor<160xf32>) -> tensor<4x5x8xf32>
  %part = stablehlo.slice %y [0:4, 1:4, 2:7] : (tensor<4x5x8xf32>) -> tensor<4x3x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [2] :
      (tensor<4x3x5xf32>, tensor<f32>) -> tensor<4x3xf32>
  check.expect_eq_const %sum, dense<[[60.0, 100.0, 140.0], [260.0, 300.0, 340.0], [460.0, 500.0, 540.0], [660.0, 700.0, 740.0]]> : tensor<4x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%part init: %low) applies stablehlo.maximum across dimensions = [2] :
      (tensor<4x3x5xf32>, tensor<f32>) -> tensor<4x3xf32>
  check.expect_eq_const %max, dense<[[14.0, 22.0, 30.0], [54.0, 62.0, 70.0], [94.0, 102.0, 110.0], [134.0, 142.0, 150.0]]> : tensor<4x3xf32>

  // a single one, and one of elements that are widened
  %all = stablehlo.slice %x [3:6] : (tensor<160xf32>) -> tensor<3xf32>
  %one = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0] :
      (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %one, dense<12.0> : tensor<f32>
  %narrow = stablehlo.convert %part : (tensor<4x3x5xf32>) -> tensor<4x3x5xbf16>
  %least = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %largest = stablehlo.reduce(%narrow init: %least) applies stablehlo.maximum across dimensions = [2] :
      (tensor<4x3x5xbf16>, tensor<bf16>) -> tensor<4x3xbf16>
  check.expect_eq_const %largest, dense<[[14.0, 22.0, 30.0], [54.0, 62.0, 70.0], [94.0, 102.0, 110.0], [134.0, 142.0, 150.0]]> : tensor<4x3xbf16>
  return
}
