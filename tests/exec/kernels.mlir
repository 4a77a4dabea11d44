// RUN: tess eval %s --quiet
// Kernels for certain sizes, types and lengths, against the same computed in another way.

func.func @main() {
  // A transform of a prime length: of one impulse it is cos and -sin; back again it is the impulse.
  %k = stablehlo.iota dim = 0 : tensor<1009xf64>
  %one = stablehlo.constant dense<1.0> : tensor<1009xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<1009xf64>
  %is_one = stablehlo.compare EQ, %k, %one : (tensor<1009xf64>, tensor<1009xf64>) -> tensor<1009xi1>
  %impulse_re = stablehlo.select %is_one, %one, %zero : tensor<1009xi1>, tensor<1009xf64>
  %impulse = stablehlo.complex %impulse_re, %zero : tensor<1009xcomplex<f64>>
  %hat = stablehlo.fft %impulse, type = FFT, length = [1009] : (tensor<1009xcomplex<f64>>) -> tensor<1009xcomplex<f64>>
  %step = stablehlo.constant dense<-0.0062271410378389357> : tensor<1009xf64>
  %angle = stablehlo.multiply %k, %step : tensor<1009xf64>
  %cos = stablehlo.cosine %angle : tensor<1009xf64>
  %sin = stablehlo.sine %angle : tensor<1009xf64>
  %wave = stablehlo.complex %cos, %sin : tensor<1009xcomplex<f64>>
  check.expect_almost_eq %hat, %wave : tensor<1009xcomplex<f64>>
  %back = stablehlo.fft %hat, type = IFFT, length = [1009] : (tensor<1009xcomplex<f64>>) -> tensor<1009xcomplex<f64>>
  check.expect_almost_eq %back, %impulse : tensor<1009xcomplex<f64>>

  // Transposing elements of 1, 2, 8 and 16 bytes is transposing the numbers they were made of.
  %i = stablehlo.iota dim = 0 : tensor<37x41xi32>
  %j = stablehlo.iota dim = 1 : tensor<37x41xi32>
  %c37 = stablehlo.constant dense<37> : tensor<37x41xi32>
  %j37 = stablehlo.multiply %j, %c37 : tensor<37x41xi32>
  %n = stablehlo.add %i, %j37 : tensor<37x41xi32>
  %nt = stablehlo.transpose %n, dims = [1, 0] : (tensor<37x41xi32>) -> tensor<41x37xi32>
  // Down a column n counts on, so that the transposed rows are an iota.
  %flat = stablehlo.iota dim = 0 : tensor<1517xi32>
  %rows = stablehlo.reshape %flat : (tensor<1517xi32>) -> tensor<41x37xi32>
  check.expect_eq %nt, %rows : tensor<41x37xi32>
  %n8 = stablehlo.convert %n : (tensor<37x41xi32>) -> tensor<37x41xi8>
  %n8t = stablehlo.transpose %n8, dims = [1, 0] : (tensor<37x41xi8>) -> tensor<41x37xi8>
  %rows8 = stablehlo.convert %rows : (tensor<41x37xi32>) -> tensor<41x37xi8>
  check.expect_eq %n8t, %rows8 : tensor<41x37xi8>
  %n64 = stablehlo.convert %n : (tensor<37x41xi32>) -> tensor<37x41xf64>
  %n64t = stablehlo.transpose %n64, dims = [1, 0] : (tensor<37x41xf64>) -> tensor<41x37xf64>
  %rows64 = stablehlo.convert %rows : (tensor<41x37xi32>) -> tensor<41x37xf64>
  check.expect_eq %n64t, %rows64 : tensor<41x37xf64>
  %n128 = stablehlo.complex %n64, %n64 : tensor<37x41xcomplex<f64>>
  %n128t = stablehlo.transpose %n128, dims = [1, 0] : (tensor<37x41xcomplex<f64>>) -> tensor<41x37xcomplex<f64>>
  %rows128 = stablehlo.complex %rows64, %rows64 : tensor<41x37xcomplex<f64>>
  check.expect_eq %n128t, %rows128 : tensor<41x37xcomplex<f64>>
  %every = stablehlo.slice %n128 [0:37, 0:41:2] : (tensor<37x41xcomplex<f64>>) -> tensor<37x21xcomplex<f64>>
  %every_re = stablehlo.real %every : (tensor<37x21xcomplex<f64>>) -> tensor<37x21xf64>
  %every_n = stablehlo.slice %n64 [0:37, 0:41:2] : (tensor<37x41xf64>) -> tensor<37x21xf64>
  check.expect_eq %every_re, %every_n : tensor<37x21xf64>

  // Nothing to sum up.
  %image = stablehlo.constant dense<> : tensor<1x4x4x0xf32>
  %kernel = stablehlo.constant dense<> : tensor<3x3x0x2xf32>
  %nothing = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x0xf32>, tensor<3x3x0x2xf32>) -> tensor<1x4x4x2xf32>
  check.expect_eq_const %nothing, dense<0.0> : tensor<1x4x4x2xf32>

  // Many numbers sorted with what belongs to them: 7919 i mod 10007 is a permutation.
  %p = stablehlo.iota dim = 0 : tensor<10007xi64>
  %c7919 = stablehlo.constant dense<7919> : tensor<10007xi64>
  %c10007 = stablehlo.constant dense<10007> : tensor<10007xi64>
  %far = stablehlo.multiply %p, %c7919 : tensor<10007xi64>
  %key = stablehlo.remainder %far, %c10007 : tensor<10007xi64>
  %sorted:2 = "stablehlo.sort"(%key, %p) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>, %c: tensor<i64>, %d: tensor<i64>):
    %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<10007xi64>, tensor<10007xi64>) -> (tensor<10007xi64>, tensor<10007xi64>)
  check.expect_eq %sorted#0, %p : tensor<10007xi64>
  %again = stablehlo.multiply %sorted#1, %c7919 : tensor<10007xi64>
  %keys = stablehlo.remainder %again, %c10007 : tensor<10007xi64>
  check.expect_eq %keys, %p : tensor<10007xi64>

  // Floats that are only an exponent: 1 * 4 * 4, 2 * 4 * 4, 0.25 * 0.5 * 0.5, and 3, which
  // is rounded to 4, times 4 * 4.
  %e = stablehlo.constant dense<[1.0, 2.0, 0.25, 3.0]> : tensor<4xf32>
  %scale = stablehlo.constant dense<[4.0, 4.0, 0.5, 4.0]> : tensor<4xf8E8M0FNU>
  %powers = stablehlo.convert %e : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  %scaled = stablehlo.multiply %powers, %scale : tensor<4xf8E8M0FNU>
  %twice = stablehlo.multiply %scaled, %scale : tensor<4xf8E8M0FNU>
  check.expect_eq_const %twice, dense<[16.0, 32.0, 6.250000e-02, 64.0]> : tensor<4xf8E8M0FNU>
  return
}
