// RUN: tess eval %s --quiet
// Values without elements go through operations that divide their work by sizes: running sums
// and products, sorting, searching, Fourier transforms, factorizations, windows.
func.func @main() {
  %a = stablehlo.constant dense<1.0> : tensor<3x0xf32>
  %b = stablehlo.constant dense<1.0> : tensor<0x4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x0xf32>, tensor<f32>) -> tensor<3x0xf32>
  %1 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.atan2 %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x0xf32>, tensor<f32>) -> tensor<3x0xf32>
  %2 = "stablehlo.reduce_window"(%b, %z) <{window_dimensions = array<i64: 1, 1, 4>, padding = dense<[[0, 0], [0, 0], [3, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<0x4x4xf32>, tensor<f32>) -> tensor<0x4x4xf32>
  %3 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<3x0xf32>) -> tensor<3x0xf32>
  %4:2 = chlo.top_k(%b, k = 2) : tensor<0x4x4xf32> -> (tensor<0x4x2xf32>, tensor<0x4x2xi32>)
  %5:2 = chlo.top_k(%b, k = 0) : tensor<0x4x4xf32> -> (tensor<0x4x0xf32>, tensor<0x4x0xi32>)
  %6 = stablehlo.fft %b, type = RFFT, length = [4] : (tensor<0x4x4xf32>) -> tensor<0x4x3xcomplex<f32>>
  %7 = stablehlo.cholesky %b, lower = true : tensor<0x4x4xf32>
  %8 = "stablehlo.triangular_solve"(%7, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<0x4x4xf32>, tensor<0x4x4xf32>) -> tensor<0x4x4xf32>
  %9 = stablehlo.bitcast_convert %a : (tensor<3x0xf32>) -> tensor<3x0x2xi16>
  %10 = stablehlo.pad %a, %z, low = [1, 0], high = [0, 0], interior = [2, 0] : (tensor<3x0xf32>, tensor<f32>) -> tensor<8x0xf32>
  %11 = stablehlo.concatenate %a, %10, dim = 0 : (tensor<3x0xf32>, tensor<8x0xf32>) -> tensor<11x0xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %12 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 0] : (tensor<3x0xf32>, tensor<i32>, tensor<i32>) -> tensor<2x0xf32>
  %13 = "stablehlo.select_and_scatter"(%a, %a, %z) <{window_dimensions = array<i64: 1, 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x0xf32>, tensor<3x0xf32>, tensor<f32>) -> tensor<3x0xf32>
  // Sums of nothing are where they begin.
  %sum = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %sum, dense<0.0> : tensor<3xf32>
  return
}
