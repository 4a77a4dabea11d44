// Several lines at a time, and lengths with all kinds of factors: the largest difference from the sums that the
// transforms stand for, in f64.
// RUN: tess eval %s

func.func private @lines_67_of_30() {
  %rows = stablehlo.iota dim = 0 : tensor<30x30xi64>
  %columns = stablehlo.iota dim = 1 : tensor<30x30xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<30x30xi64>
  %n = stablehlo.constant dense<30> : tensor<30x30xi64>
  %around = stablehlo.remainder %product, %n : tensor<30x30xi64>
  %turns = stablehlo.convert %around : (tensor<30x30xi64>) -> tensor<30x30xf64>
  %turn = stablehlo.constant dense<-0.20943951023931953> : tensor<30x30xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<30x30xf64>
  %cos = stablehlo.cosine %angle : tensor<30x30xf64>
  %sin = stablehlo.sine %angle : tensor<30x30xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<30x30xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<67x30xf64>
  %line = stablehlo.iota dim = 0 : tensor<67x30xf64>
  %three = stablehlo.constant dense<3.0> : tensor<67x30xf64>
  %power = stablehlo.add %line, %three : tensor<67x30xf64>
  %square = stablehlo.multiply %count, %power : tensor<67x30xf64>
  %re = stablehlo.sine %square : tensor<67x30xf64>
  %im = stablehlo.cosine %count : tensor<67x30xf64>
  %none = stablehlo.constant dense<0.0> : tensor<67x30xf64>
  %z = stablehlo.complex %re, %im : tensor<67x30xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<67x30xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<67x30xcomplex<f64>>, tensor<30x30xcomplex<f64>>) -> tensor<67x30xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [30] : (tensor<67x30xcomplex<f64>>) -> tensor<67x30xcomplex<f64>>
  func.call @near_67_30(%got, %want) : (tensor<67x30xcomplex<f64>>, tensor<67x30xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [30] : (tensor<67x30xcomplex<f64>>) -> tensor<67x30xcomplex<f64>>
  func.call @near_67_30(%back, %z) : (tensor<67x30xcomplex<f64>>, tensor<67x30xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<67x30xcomplex<f64>>, tensor<30x30xcomplex<f64>>) -> tensor<67x30xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:67, 0:16] : (tensor<67x30xcomplex<f64>>) -> tensor<67x16xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [30] : (tensor<67x30xf64>) -> tensor<67x16xcomplex<f64>>
  func.call @near_67_16(%half, %want_first) : (tensor<67x16xcomplex<f64>>, tensor<67x16xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [30] : (tensor<67x16xcomplex<f64>>) -> tensor<67x30xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<67x30xcomplex<f64>>
  func.call @near_67_30(%signal_c, %real) : (tensor<67x30xcomplex<f64>>, tensor<67x30xcomplex<f64>>) -> ()
  return
}

func.func private @lines_11_of_77() {
  %rows = stablehlo.iota dim = 0 : tensor<77x77xi64>
  %columns = stablehlo.iota dim = 1 : tensor<77x77xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<77x77xi64>
  %n = stablehlo.constant dense<77> : tensor<77x77xi64>
  %around = stablehlo.remainder %product, %n : tensor<77x77xi64>
  %turns = stablehlo.convert %around : (tensor<77x77xi64>) -> tensor<77x77xf64>
  %turn = stablehlo.constant dense<-0.08159980918415047> : tensor<77x77xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<77x77xf64>
  %cos = stablehlo.cosine %angle : tensor<77x77xf64>
  %sin = stablehlo.sine %angle : tensor<77x77xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<77x77xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<11x77xf64>
  %line = stablehlo.iota dim = 0 : tensor<11x77xf64>
  %three = stablehlo.constant dense<3.0> : tensor<11x77xf64>
  %power = stablehlo.add %line, %three : tensor<11x77xf64>
  %square = stablehlo.multiply %count, %power : tensor<11x77xf64>
  %re = stablehlo.sine %square : tensor<11x77xf64>
  %im = stablehlo.cosine %count : tensor<11x77xf64>
  %none = stablehlo.constant dense<0.0> : tensor<11x77xf64>
  %z = stablehlo.complex %re, %im : tensor<11x77xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<11x77xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<11x77xcomplex<f64>>, tensor<77x77xcomplex<f64>>) -> tensor<11x77xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [77] : (tensor<11x77xcomplex<f64>>) -> tensor<11x77xcomplex<f64>>
  func.call @near_11_77(%got, %want) : (tensor<11x77xcomplex<f64>>, tensor<11x77xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [77] : (tensor<11x77xcomplex<f64>>) -> tensor<11x77xcomplex<f64>>
  func.call @near_11_77(%back, %z) : (tensor<11x77xcomplex<f64>>, tensor<11x77xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<11x77xcomplex<f64>>, tensor<77x77xcomplex<f64>>) -> tensor<11x77xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:11, 0:39] : (tensor<11x77xcomplex<f64>>) -> tensor<11x39xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [77] : (tensor<11x77xf64>) -> tensor<11x39xcomplex<f64>>
  func.call @near_11_39(%half, %want_first) : (tensor<11x39xcomplex<f64>>, tensor<11x39xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [77] : (tensor<11x39xcomplex<f64>>) -> tensor<11x77xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<11x77xcomplex<f64>>
  func.call @near_11_77(%signal_c, %real) : (tensor<11x77xcomplex<f64>>, tensor<11x77xcomplex<f64>>) -> ()
  return
}

func.func private @lines_5_of_221() {
  %rows = stablehlo.iota dim = 0 : tensor<221x221xi64>
  %columns = stablehlo.iota dim = 1 : tensor<221x221xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<221x221xi64>
  %n = stablehlo.constant dense<221> : tensor<221x221xi64>
  %around = stablehlo.remainder %product, %n : tensor<221x221xi64>
  %turns = stablehlo.convert %around : (tensor<221x221xi64>) -> tensor<221x221xf64>
  %turn = stablehlo.constant dense<-0.02843070274741894> : tensor<221x221xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<221x221xf64>
  %cos = stablehlo.cosine %angle : tensor<221x221xf64>
  %sin = stablehlo.sine %angle : tensor<221x221xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<221x221xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<5x221xf64>
  %line = stablehlo.iota dim = 0 : tensor<5x221xf64>
  %three = stablehlo.constant dense<3.0> : tensor<5x221xf64>
  %power = stablehlo.add %line, %three : tensor<5x221xf64>
  %square = stablehlo.multiply %count, %power : tensor<5x221xf64>
  %re = stablehlo.sine %square : tensor<5x221xf64>
  %im = stablehlo.cosine %count : tensor<5x221xf64>
  %none = stablehlo.constant dense<0.0> : tensor<5x221xf64>
  %z = stablehlo.complex %re, %im : tensor<5x221xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<5x221xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<5x221xcomplex<f64>>, tensor<221x221xcomplex<f64>>) -> tensor<5x221xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [221] : (tensor<5x221xcomplex<f64>>) -> tensor<5x221xcomplex<f64>>
  func.call @near_5_221(%got, %want) : (tensor<5x221xcomplex<f64>>, tensor<5x221xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [221] : (tensor<5x221xcomplex<f64>>) -> tensor<5x221xcomplex<f64>>
  func.call @near_5_221(%back, %z) : (tensor<5x221xcomplex<f64>>, tensor<5x221xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<5x221xcomplex<f64>>, tensor<221x221xcomplex<f64>>) -> tensor<5x221xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:5, 0:111] : (tensor<5x221xcomplex<f64>>) -> tensor<5x111xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [221] : (tensor<5x221xf64>) -> tensor<5x111xcomplex<f64>>
  func.call @near_5_111(%half, %want_first) : (tensor<5x111xcomplex<f64>>, tensor<5x111xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [221] : (tensor<5x111xcomplex<f64>>) -> tensor<5x221xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<5x221xcomplex<f64>>
  func.call @near_5_221(%signal_c, %real) : (tensor<5x221xcomplex<f64>>, tensor<5x221xcomplex<f64>>) -> ()
  return
}

func.func private @lines_67_of_127() {
  %rows = stablehlo.iota dim = 0 : tensor<127x127xi64>
  %columns = stablehlo.iota dim = 1 : tensor<127x127xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<127x127xi64>
  %n = stablehlo.constant dense<127> : tensor<127x127xi64>
  %around = stablehlo.remainder %product, %n : tensor<127x127xi64>
  %turns = stablehlo.convert %around : (tensor<127x127xi64>) -> tensor<127x127xf64>
  %turn = stablehlo.constant dense<-0.049473900056532176> : tensor<127x127xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<127x127xf64>
  %cos = stablehlo.cosine %angle : tensor<127x127xf64>
  %sin = stablehlo.sine %angle : tensor<127x127xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<127x127xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<67x127xf64>
  %line = stablehlo.iota dim = 0 : tensor<67x127xf64>
  %three = stablehlo.constant dense<3.0> : tensor<67x127xf64>
  %power = stablehlo.add %line, %three : tensor<67x127xf64>
  %square = stablehlo.multiply %count, %power : tensor<67x127xf64>
  %re = stablehlo.sine %square : tensor<67x127xf64>
  %im = stablehlo.cosine %count : tensor<67x127xf64>
  %none = stablehlo.constant dense<0.0> : tensor<67x127xf64>
  %z = stablehlo.complex %re, %im : tensor<67x127xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<67x127xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<67x127xcomplex<f64>>, tensor<127x127xcomplex<f64>>) -> tensor<67x127xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [127] : (tensor<67x127xcomplex<f64>>) -> tensor<67x127xcomplex<f64>>
  func.call @near_67_127(%got, %want) : (tensor<67x127xcomplex<f64>>, tensor<67x127xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [127] : (tensor<67x127xcomplex<f64>>) -> tensor<67x127xcomplex<f64>>
  func.call @near_67_127(%back, %z) : (tensor<67x127xcomplex<f64>>, tensor<67x127xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<67x127xcomplex<f64>>, tensor<127x127xcomplex<f64>>) -> tensor<67x127xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:67, 0:64] : (tensor<67x127xcomplex<f64>>) -> tensor<67x64xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [127] : (tensor<67x127xf64>) -> tensor<67x64xcomplex<f64>>
  func.call @near_67_64(%half, %want_first) : (tensor<67x64xcomplex<f64>>, tensor<67x64xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [127] : (tensor<67x64xcomplex<f64>>) -> tensor<67x127xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<67x127xcomplex<f64>>
  func.call @near_67_127(%signal_c, %real) : (tensor<67x127xcomplex<f64>>, tensor<67x127xcomplex<f64>>) -> ()
  return
}

func.func private @lines_9_of_254() {
  %rows = stablehlo.iota dim = 0 : tensor<254x254xi64>
  %columns = stablehlo.iota dim = 1 : tensor<254x254xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<254x254xi64>
  %n = stablehlo.constant dense<254> : tensor<254x254xi64>
  %around = stablehlo.remainder %product, %n : tensor<254x254xi64>
  %turns = stablehlo.convert %around : (tensor<254x254xi64>) -> tensor<254x254xf64>
  %turn = stablehlo.constant dense<-0.024736950028266088> : tensor<254x254xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<254x254xf64>
  %cos = stablehlo.cosine %angle : tensor<254x254xf64>
  %sin = stablehlo.sine %angle : tensor<254x254xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<254x254xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<9x254xf64>
  %line = stablehlo.iota dim = 0 : tensor<9x254xf64>
  %three = stablehlo.constant dense<3.0> : tensor<9x254xf64>
  %power = stablehlo.add %line, %three : tensor<9x254xf64>
  %square = stablehlo.multiply %count, %power : tensor<9x254xf64>
  %re = stablehlo.sine %square : tensor<9x254xf64>
  %im = stablehlo.cosine %count : tensor<9x254xf64>
  %none = stablehlo.constant dense<0.0> : tensor<9x254xf64>
  %z = stablehlo.complex %re, %im : tensor<9x254xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<9x254xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<9x254xcomplex<f64>>, tensor<254x254xcomplex<f64>>) -> tensor<9x254xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [254] : (tensor<9x254xcomplex<f64>>) -> tensor<9x254xcomplex<f64>>
  func.call @near_9_254(%got, %want) : (tensor<9x254xcomplex<f64>>, tensor<9x254xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [254] : (tensor<9x254xcomplex<f64>>) -> tensor<9x254xcomplex<f64>>
  func.call @near_9_254(%back, %z) : (tensor<9x254xcomplex<f64>>, tensor<9x254xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<9x254xcomplex<f64>>, tensor<254x254xcomplex<f64>>) -> tensor<9x254xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:9, 0:128] : (tensor<9x254xcomplex<f64>>) -> tensor<9x128xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [254] : (tensor<9x254xf64>) -> tensor<9x128xcomplex<f64>>
  func.call @near_9_128(%half, %want_first) : (tensor<9x128xcomplex<f64>>, tensor<9x128xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [254] : (tensor<9x128xcomplex<f64>>) -> tensor<9x254xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<9x254xcomplex<f64>>
  func.call @near_9_254(%signal_c, %real) : (tensor<9x254xcomplex<f64>>, tensor<9x254xcomplex<f64>>) -> ()
  return
}

func.func private @lines_3_of_144() {
  %rows = stablehlo.iota dim = 0 : tensor<144x144xi64>
  %columns = stablehlo.iota dim = 1 : tensor<144x144xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<144x144xi64>
  %n = stablehlo.constant dense<144> : tensor<144x144xi64>
  %around = stablehlo.remainder %product, %n : tensor<144x144xi64>
  %turns = stablehlo.convert %around : (tensor<144x144xi64>) -> tensor<144x144xf64>
  %turn = stablehlo.constant dense<-0.04363323129985824> : tensor<144x144xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<144x144xf64>
  %cos = stablehlo.cosine %angle : tensor<144x144xf64>
  %sin = stablehlo.sine %angle : tensor<144x144xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<144x144xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<3x144xf64>
  %line = stablehlo.iota dim = 0 : tensor<3x144xf64>
  %three = stablehlo.constant dense<3.0> : tensor<3x144xf64>
  %power = stablehlo.add %line, %three : tensor<3x144xf64>
  %square = stablehlo.multiply %count, %power : tensor<3x144xf64>
  %re = stablehlo.sine %square : tensor<3x144xf64>
  %im = stablehlo.cosine %count : tensor<3x144xf64>
  %none = stablehlo.constant dense<0.0> : tensor<3x144xf64>
  %z = stablehlo.complex %re, %im : tensor<3x144xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<3x144xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<3x144xcomplex<f64>>, tensor<144x144xcomplex<f64>>) -> tensor<3x144xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [144] : (tensor<3x144xcomplex<f64>>) -> tensor<3x144xcomplex<f64>>
  func.call @near_3_144(%got, %want) : (tensor<3x144xcomplex<f64>>, tensor<3x144xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [144] : (tensor<3x144xcomplex<f64>>) -> tensor<3x144xcomplex<f64>>
  func.call @near_3_144(%back, %z) : (tensor<3x144xcomplex<f64>>, tensor<3x144xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<3x144xcomplex<f64>>, tensor<144x144xcomplex<f64>>) -> tensor<3x144xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:3, 0:73] : (tensor<3x144xcomplex<f64>>) -> tensor<3x73xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [144] : (tensor<3x144xf64>) -> tensor<3x73xcomplex<f64>>
  func.call @near_3_73(%half, %want_first) : (tensor<3x73xcomplex<f64>>, tensor<3x73xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [144] : (tensor<3x73xcomplex<f64>>) -> tensor<3x144xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<3x144xcomplex<f64>>
  func.call @near_3_144(%signal_c, %real) : (tensor<3x144xcomplex<f64>>, tensor<3x144xcomplex<f64>>) -> ()
  return
}

func.func private @lines_12_of_59() {
  %rows = stablehlo.iota dim = 0 : tensor<59x59xi64>
  %columns = stablehlo.iota dim = 1 : tensor<59x59xi64>
  %product = stablehlo.multiply %rows, %columns : tensor<59x59xi64>
  %n = stablehlo.constant dense<59> : tensor<59x59xi64>
  %around = stablehlo.remainder %product, %n : tensor<59x59xi64>
  %turns = stablehlo.convert %around : (tensor<59x59xi64>) -> tensor<59x59xf64>
  %turn = stablehlo.constant dense<-0.10649466622338281> : tensor<59x59xf64>
  %angle = stablehlo.multiply %turns, %turn : tensor<59x59xf64>
  %cos = stablehlo.cosine %angle : tensor<59x59xf64>
  %sin = stablehlo.sine %angle : tensor<59x59xf64>
  %roots = stablehlo.complex %cos, %sin : tensor<59x59xcomplex<f64>>
  %count = stablehlo.iota dim = 1 : tensor<12x59xf64>
  %line = stablehlo.iota dim = 0 : tensor<12x59xf64>
  %three = stablehlo.constant dense<3.0> : tensor<12x59xf64>
  %power = stablehlo.add %line, %three : tensor<12x59xf64>
  %square = stablehlo.multiply %count, %power : tensor<12x59xf64>
  %re = stablehlo.sine %square : tensor<12x59xf64>
  %im = stablehlo.cosine %count : tensor<12x59xf64>
  %none = stablehlo.constant dense<0.0> : tensor<12x59xf64>
  %z = stablehlo.complex %re, %im : tensor<12x59xcomplex<f64>>
  %real = stablehlo.complex %re, %none : tensor<12x59xcomplex<f64>>
  %want = stablehlo.dot_general %z, %roots, contracting_dims = [1] x [0] : (tensor<12x59xcomplex<f64>>, tensor<59x59xcomplex<f64>>) -> tensor<12x59xcomplex<f64>>
  %got = stablehlo.fft %z, type = FFT, length = [59] : (tensor<12x59xcomplex<f64>>) -> tensor<12x59xcomplex<f64>>
  func.call @near_12_59(%got, %want) : (tensor<12x59xcomplex<f64>>, tensor<12x59xcomplex<f64>>) -> ()
  %back = stablehlo.fft %got, type = IFFT, length = [59] : (tensor<12x59xcomplex<f64>>) -> tensor<12x59xcomplex<f64>>
  func.call @near_12_59(%back, %z) : (tensor<12x59xcomplex<f64>>, tensor<12x59xcomplex<f64>>) -> ()
  %want_half = stablehlo.dot_general %real, %roots, contracting_dims = [1] x [0] : (tensor<12x59xcomplex<f64>>, tensor<59x59xcomplex<f64>>) -> tensor<12x59xcomplex<f64>>
  %want_first = stablehlo.slice %want_half [0:12, 0:30] : (tensor<12x59xcomplex<f64>>) -> tensor<12x30xcomplex<f64>>
  %half = stablehlo.fft %re, type = RFFT, length = [59] : (tensor<12x59xf64>) -> tensor<12x30xcomplex<f64>>
  func.call @near_12_30(%half, %want_first) : (tensor<12x30xcomplex<f64>>, tensor<12x30xcomplex<f64>>) -> ()
  %signal = stablehlo.fft %half, type = IRFFT, length = [59] : (tensor<12x30xcomplex<f64>>) -> tensor<12x59xf64>
  %signal_c = stablehlo.complex %signal, %none : tensor<12x59xcomplex<f64>>
  func.call @near_12_59(%signal_c, %real) : (tensor<12x59xcomplex<f64>>, tensor<12x59xcomplex<f64>>) -> ()
  return
}

func.func private @near_3_73(%got: tensor<3x73xcomplex<f64>>, %want: tensor<3x73xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<3x73xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<3x73xcomplex<f64>>) -> tensor<3x73xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x73xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_3_144(%got: tensor<3x144xcomplex<f64>>, %want: tensor<3x144xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<3x144xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<3x144xcomplex<f64>>) -> tensor<3x144xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x144xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_5_111(%got: tensor<5x111xcomplex<f64>>, %want: tensor<5x111xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<5x111xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<5x111xcomplex<f64>>) -> tensor<5x111xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x111xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_5_221(%got: tensor<5x221xcomplex<f64>>, %want: tensor<5x221xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<5x221xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<5x221xcomplex<f64>>) -> tensor<5x221xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x221xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_9_128(%got: tensor<9x128xcomplex<f64>>, %want: tensor<9x128xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<9x128xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<9x128xcomplex<f64>>) -> tensor<9x128xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<9x128xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_9_254(%got: tensor<9x254xcomplex<f64>>, %want: tensor<9x254xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<9x254xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<9x254xcomplex<f64>>) -> tensor<9x254xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<9x254xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_11_39(%got: tensor<11x39xcomplex<f64>>, %want: tensor<11x39xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<11x39xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<11x39xcomplex<f64>>) -> tensor<11x39xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<11x39xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_11_77(%got: tensor<11x77xcomplex<f64>>, %want: tensor<11x77xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<11x77xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<11x77xcomplex<f64>>) -> tensor<11x77xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<11x77xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_12_30(%got: tensor<12x30xcomplex<f64>>, %want: tensor<12x30xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<12x30xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<12x30xcomplex<f64>>) -> tensor<12x30xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<12x30xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_12_59(%got: tensor<12x59xcomplex<f64>>, %want: tensor<12x59xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<12x59xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<12x59xcomplex<f64>>) -> tensor<12x59xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<12x59xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_67_16(%got: tensor<67x16xcomplex<f64>>, %want: tensor<67x16xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<67x16xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<67x16xcomplex<f64>>) -> tensor<67x16xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<67x16xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_67_30(%got: tensor<67x30xcomplex<f64>>, %want: tensor<67x30xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<67x30xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<67x30xcomplex<f64>>) -> tensor<67x30xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<67x30xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_67_64(%got: tensor<67x64xcomplex<f64>>, %want: tensor<67x64xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<67x64xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<67x64xcomplex<f64>>) -> tensor<67x64xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<67x64xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

func.func private @near_67_127(%got: tensor<67x127xcomplex<f64>>, %want: tensor<67x127xcomplex<f64>>) {
  %apart = stablehlo.subtract %got, %want : tensor<67x127xcomplex<f64>>
  %far = stablehlo.abs %apart : (tensor<67x127xcomplex<f64>>) -> tensor<67x127xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %most = stablehlo.reduce(%far init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<67x127xf64>, tensor<f64>) -> tensor<f64>
  %bound = stablehlo.constant dense<2.0e-13> : tensor<f64>
  %near = stablehlo.compare LT, %most, %bound : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  return
}

// Three dimensions at once, and one after the other.
func.func private @three_dimensions() {
  %i = stablehlo.iota dim = 3 : tensor<2x6x5x22xf64>
  %j = stablehlo.iota dim = 1 : tensor<2x6x5x22xf64>
  %k = stablehlo.iota dim = 2 : tensor<2x6x5x22xf64>
  %ij = stablehlo.multiply %i, %j : tensor<2x6x5x22xf64>
  %ijk = stablehlo.add %ij, %k : tensor<2x6x5x22xf64>
  %x = stablehlo.sine %ijk : tensor<2x6x5x22xf64>
  %got = stablehlo.fft %x, type = RFFT, length = [6, 5, 22] : (tensor<2x6x5x22xf64>) -> tensor<2x6x5x12xcomplex<f64>>
  %last = stablehlo.fft %x, type = RFFT, length = [22] : (tensor<2x6x5x22xf64>) -> tensor<2x6x5x12xcomplex<f64>>
  %t1 = stablehlo.transpose %last, dims = [0, 3, 1, 2] : (tensor<2x6x5x12xcomplex<f64>>) -> tensor<2x12x6x5xcomplex<f64>>
  %middle = stablehlo.fft %t1, type = FFT, length = [5] : (tensor<2x12x6x5xcomplex<f64>>) -> tensor<2x12x6x5xcomplex<f64>>
  %t2 = stablehlo.transpose %middle, dims = [0, 1, 3, 2] : (tensor<2x12x6x5xcomplex<f64>>) -> tensor<2x12x5x6xcomplex<f64>>
  %first = stablehlo.fft %t2, type = FFT, length = [6] : (tensor<2x12x5x6xcomplex<f64>>) -> tensor<2x12x5x6xcomplex<f64>>
  %want = stablehlo.transpose %first, dims = [0, 3, 2, 1] : (tensor<2x12x5x6xcomplex<f64>>) -> tensor<2x6x5x12xcomplex<f64>>
  check.expect_almost_eq %got, %want : tensor<2x6x5x12xcomplex<f64>>
  %back = stablehlo.fft %got, type = IRFFT, length = [6, 5, 22] : (tensor<2x6x5x12xcomplex<f64>>) -> tensor<2x6x5x22xf64>
  check.expect_almost_eq %back, %x : tensor<2x6x5x22xf64>
  return
}

func.func @main() {
  func.call @lines_67_of_30() : () -> ()
  func.call @lines_11_of_77() : () -> ()
  func.call @lines_5_of_221() : () -> ()
  func.call @lines_67_of_127() : () -> ()
  func.call @lines_9_of_254() : () -> ()
  func.call @lines_3_of_144() : () -> ()
  func.call @lines_12_of_59() : () -> ()
  func.call @three_dimensions() : () -> ()
  return
}
