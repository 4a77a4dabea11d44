// Transforms whose lengths have factors of all kinds, beside the sums that they stand for.
// RUN: tess eval %s

func.func private @of_8_f32() {
  %rows = stablehlo.iota dim = 0 : tensor<8x8xi64>
  %columns = stablehlo.iota dim = 1 : tensor<8x8xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<8x8xi64>
  %n = stablehlo.constant dense<8> : tensor<8x8xi64>
  %around = stablehlo.remainder %product, %n : tensor<8x8xi64>
  %turns = stablehlo.convert %around : (tensor<8x8xi64>) -> tensor<8x8xf64>
  %turn = stablehlo.constant dense<-0.7853981633974483> : tensor<8x8xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<8x8xf64>
  %cos = stablehlo.cosine %angle : tensor<8x8xf64>
  %sin = stablehlo.sine %angle : tensor<8x8xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<8x8xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<2x8xf64>
  %line = stablehlo.iota dim = 0 : tensor<2x8xf64>
  %three = stablehlo.constant dense<3.0> : tensor<2x8xf64>
  %power = stablehlo.add %line, %three : tensor<2x8xf64>
  %square = stablehlo.multiply %count, %power : tensor<2x8xf64>
  %re = stablehlo.sine %square : tensor<2x8xf64>
  %im = stablehlo.cosine %count : tensor<2x8xf64>
  %z64 = stablehlo.complex %re, %im : tensor<2x8xcomplex<f64>>
  %z = stablehlo.convert %z64 : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f32>>
  %sums = stablehlo.dot_general %z64, %roots, contracting_dims = [1] x [0] : (tensor<2x8xcomplex<f64>>, tensor<8x8xcomplex<f64>>) -> tensor<2x8xcomplex<f64>>
  %want = stablehlo.convert %sums : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f32>>
  %got = stablehlo.fft %z, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  check.expect_almost_eq %got, %want : tensor<2x8xcomplex<f32>>
  %back = stablehlo.fft %got, type = IFFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  check.expect_almost_eq %back, %z : tensor<2x8xcomplex<f32>>
  return
}

func.func private @of_60_f32() {
  %rows = stablehlo.iota dim = 0 : tensor<60x60xi64>
  %columns = stablehlo.iota dim = 1 : tensor<60x60xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<60x60xi64>
  %n = stablehlo.constant dense<60> : tensor<60x60xi64>
  %around = stablehlo.remainder %product, %n : tensor<60x60xi64>
  %turns = stablehlo.convert %around : (tensor<60x60xi64>) -> tensor<60x60xf64>
  %turn = stablehlo.constant dense<-0.10471975511965977> : tensor<60x60xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<60x60xf64>
  %cos = stablehlo.cosine %angle : tensor<60x60xf64>
  %sin = stablehlo.sine %angle : tensor<60x60xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<60x60xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<2x60xf64>
  %line = stablehlo.iota dim = 0 : tensor<2x60xf64>
  %three = stablehlo.constant dense<3.0> : tensor<2x60xf64>
  %power = stablehlo.add %line, %three : tensor<2x60xf64>
  %square = stablehlo.multiply %count, %power : tensor<2x60xf64>
  %re = stablehlo.sine %square : tensor<2x60xf64>
  %im = stablehlo.cosine %count : tensor<2x60xf64>
  %z64 = stablehlo.complex %re, %im : tensor<2x60xcomplex<f64>>
  %z = stablehlo.convert %z64 : (tensor<2x60xcomplex<f64>>) -> tensor<2x60xcomplex<f32>>
  %sums = stablehlo.dot_general %z64, %roots, contracting_dims = [1] x [0] : (tensor<2x60xcomplex<f64>>, tensor<60x60xcomplex<f64>>) -> tensor<2x60xcomplex<f64>>
  %want = stablehlo.convert %sums : (tensor<2x60xcomplex<f64>>) -> tensor<2x60xcomplex<f32>>
  %got = stablehlo.fft %z, type = FFT, length = [60] : (tensor<2x60xcomplex<f32>>) -> tensor<2x60xcomplex<f32>>
  check.expect_almost_eq %got, %want : tensor<2x60xcomplex<f32>>
  %back = stablehlo.fft %got, type = IFFT, length = [60] : (tensor<2x60xcomplex<f32>>) -> tensor<2x60xcomplex<f32>>
  check.expect_almost_eq %back, %z : tensor<2x60xcomplex<f32>>
  return
}

func.func private @of_49_f64() {
  %rows = stablehlo.iota dim = 0 : tensor<49x49xi64>
  %columns = stablehlo.iota dim = 1 : tensor<49x49xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<49x49xi64>
  %n = stablehlo.constant dense<49> : tensor<49x49xi64>
  %around = stablehlo.remainder %product, %n : tensor<49x49xi64>
  %turns = stablehlo.convert %around : (tensor<49x49xi64>) -> tensor<49x49xf64>
  %turn = stablehlo.constant dense<-0.1282282715750936> : tensor<49x49xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<49x49xf64>
  %cos = stablehlo.cosine %angle : tensor<49x49xf64>
  %sin = stablehlo.sine %angle : tensor<49x49xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<49x49xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<2x49xf64>
  %line = stablehlo.iota dim = 0 : tensor<2x49xf64>
  %three = stablehlo.constant dense<3.0> : tensor<2x49xf64>
  %power = stablehlo.add %line, %three : tensor<2x49xf64>
  %square = stablehlo.multiply %count, %power : tensor<2x49xf64>
  %re = stablehlo.sine %square : tensor<2x49xf64>
  %im = stablehlo.cosine %count : tensor<2x49xf64>
  %z64 = stablehlo.complex %re, %im : tensor<2x49xcomplex<f64>>
  %z = stablehlo.convert %z64 : (tensor<2x49xcomplex<f64>>) -> tensor<2x49xcomplex<f64>>
  %sums = stablehlo.dot_general %z64, %roots, contracting_dims = [1] x [0] : (tensor<2x49xcomplex<f64>>, tensor<49x49xcomplex<f64>>) -> tensor<2x49xcomplex<f64>>
  %want = stablehlo.convert %sums : (tensor<2x49xcomplex<f64>>) -> tensor<2x49xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [49] : (tensor<2x49xcomplex<f64>>) -> tensor<2x49xcomplex<f64>>
  check.expect_almost_eq %got, %want : tensor<2x49xcomplex<f64>>
  %back = stablehlo.fft %got, type = IFFT, length = [49] : (tensor<2x49xcomplex<f64>>) -> tensor<2x49xcomplex<f64>>
  check.expect_almost_eq %back, %z : tensor<2x49xcomplex<f64>>
  return
}

func.func @main() {
  func.call @of_8_f32() : () -> ()
  func.call @of_60_f32() : () -> ()
  func.call @of_49_f64() : () -> ()
  return
}
