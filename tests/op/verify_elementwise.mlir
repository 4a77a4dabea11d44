// RUN: tess opt %s -split-input-file -verify-diagnostics
// Elementwise operations, batch norms, transforms and random numbers.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @abs(%0: tensor<ui8>) {
  // expected-error@+1 {{operand 0 is tensor<ui8>, expected a tensor of signed integers, floats or complex numbers}}
  %r = "stablehlo.abs"(%0) : (tensor<ui8>) -> tensor<f32>
  return
}

// -----

func.func @batch_norm_grad(%0: tensor<2x4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>, %3: tensor<4xf32>, %4: tensor<4x4xf32>) {
  // expected-error@+1 {{has an output gradient tensor<4x4xf32> for an operand tensor<2x4xf32> (C3)}}
  %r:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_1(%0: tensor<4x0xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // expected-error@+1 {{has an operand 1 of size 4 for 0 features (C3)}}
  %r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x0xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x0xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_2(%0: tensor<4x4xf32>, %1: tensor<4xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has an operand 2 of rank 0, expected 1}}
  %r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4x4xf32>, tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @batch_norm_training_3(%0: tensor<4x4xf32>, %1: tensor<4xi1>, %2: tensor<4xi1>) {
  // expected-error@+1 {{has operands tensor<4x4xf32> and tensor<4xi1>, expected the same elements (C2)}}
  %r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xi1>, tensor<4xi1>) -> (tensor<4x4xf32>, tensor<4xi1>, tensor<4xi1>)
  return
}

// -----

func.func @batch_norm_training_4(%0: tensor<4xf16>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'feature_index' is 1, expected a number in [0, 1)}}
  %r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @clamp(%0: tensor<f32>, %1: tensor<4xf32>, %2: tensor<i1>) {
  // expected-error@+1 {{has a bound of type tensor<i1> for tensor<4xf32> (C3)}}
  %r = "stablehlo.clamp"(%0, %1, %2) : (tensor<f32>, tensor<4xf32>, tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_1(%0: tensor<complex<f32>>, %1: tensor<f32>) {
  // expected-error@+1 {{orders complex numbers, which only EQ and NE compare (C4)}}
  %r = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<complex<f32>>, tensor<f32>) -> tensor<i1>
  return
}

// -----

func.func @compare_2(%0: tensor<f32>, %1: tensor<i1>) {
  // expected-error@+1 {{has operands of types tensor<f32> and tensor<i1>, expected the same elements}}
  %r = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<i1>) -> tensor<i1>
  return
}

// -----

func.func @complex_1(%0: tensor<f32>, %1: tensor<f64>) {
  // expected-error@+1 {{has operands of types tensor<f32> and tensor<f64>, expected the same elements}}
  %r = "stablehlo.complex"(%0, %1) : (tensor<f32>, tensor<f64>) -> tensor<complex<f64>>
  return
}

// -----

func.func @complex_2(%0: tensor<bf16>, %1: tensor<bf16>) {
  // expected-error@+1 {{has operands of type tensor<bf16>, expected f32 or f64 (C2)}}
  %r = "stablehlo.complex"(%0, %1) : (tensor<bf16>, tensor<bf16>) -> tensor<complex<f64>>
  return
}

// -----

func.func @convert(%0: tensor<649xi16>) {
  // expected-error@+1 {{turns tensor<649xi16> into tensor<i16>, expected the same shape (C1)}}
  %r = "stablehlo.convert"(%0) : (tensor<649xi16>) -> tensor<i16>
  return
}

// -----

func.func @fft_1(%0: tensor<3xcomplex<f64>>) {
  // expected-error@+1 {{has a last dimension of 3, expected 0 (C5)}}
  %r = "stablehlo.fft"(%0) <{fft_length = array<i64: 0>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<3xcomplex<f64>>) -> tensor<4xf64>
  return
}

// -----

func.func @fft_2(%0: tensor<f32>) {
  // expected-error@+1 {{transforms 1 dimensions of an operand of rank 0 (C1)}}
  %r = "stablehlo.fft"(%0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<f32>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @fft_3(%0: tensor<1xf32>) {
  // expected-error@+1 {{has length 4 for dimension 0 of size 1 (C4)}}
  %r = "stablehlo.fft"(%0) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<1xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @fft_4(%0: tensor<4xf32>) {
  // expected-error@+1 {{has a negative length (C3)}}
  %r = "stablehlo.fft"(%0) <{fft_length = array<i64: -1>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @fft_5(%0: tensor<?xf64>) {
  // expected-error@+1 {{transforms tensor<?xf64>, expected complex numbers (C2)}}
  %r = "stablehlo.fft"(%0) <{fft_length = array<i64: 6>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<?xf64>) -> tensor<6xf64>
  return
}

// -----

func.func @not(%0: tensor<i32>) {
  // expected-error@+1 {{result 0 is tensor<f16>, expected a tensor of i1 or integers}}
  %r = "stablehlo.not"(%0) : (tensor<i32>) -> tensor<f16>
  return
}

// -----

func.func @reduce_precision_1(%0: tensor<4xf32>) {
  // expected-error@+1 {{has -1 bits of mantissa, expected at least 0 (C3)}}
  %r = "stablehlo.reduce_precision"(%0) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_2(%0: tensor<4xf32>) {
  // expected-error@+1 {{needs at least one bit of exponent (C2)}}
  %r = "stablehlo.reduce_precision"(%0) <{exponent_bits = 0 : i32, mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_1(%0: tensor<f32>, %1: tensor<f32>, %2: tensor<2xi64>) {
  // expected-error@+1 {{has a shape of 2 numbers for a result of rank 1 (C3)}}
  %r = "stablehlo.rng"(%0, %1, %2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @rng_2(%0: tensor<i1>, %1: tensor<i1>, %2: tensor<2xi64>) {
  // expected-error@+1 {{draws tensor<4x3xf32> from tensor<i1> and tensor<i1>, expected the same elements (C1)}}
  %r = "stablehlo.rng"(%0, %1, %2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<i1>, tensor<i1>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rng_3(%0: tensor<1xf32>, %1: tensor<f32>, %2: tensor<2xi64>) {
  // expected-error@+1 {{has a parameter tensor<1xf32>, expected a scalar (I1, I2)}}
  %r = "stablehlo.rng"(%0, %1, %2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rng_bit_generator(%0: tensor<ui64>) {
  // expected-error@+1 {{turns a state tensor<ui64> into tensor<2xui64>, expected the same type (C1)}}
  %r:2 = "stablehlo.rng_bit_generator"(%0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<ui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @select_1(%0: tensor<1xi1>, %1: tensor<4xf32>, %2: tensor<4xf32>) {
  // expected-error@+1 {{has a predicate of type tensor<1xi1>, expected a scalar or the shape of tensor<4xf32> (C1)}}
  %r = "stablehlo.select"(%0, %1, %2) : (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_2(%0: tensor<i1>, %1: tensor<4xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{chooses between tensor<4xf32> and tensor<f32>, expected the same type (C2)}}
  %r = "stablehlo.select"(%0, %1, %2) : (tensor<i1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_3(%0: tensor<i1>, %1: tensor<4xf32>, %2: tensor<4xi8>) {
  // expected-error@+1 {{chooses between tensor<4xf32> and tensor<4xi8>, expected the same type (C2)}}
  %r = "stablehlo.select"(%0, %1, %2) : (tensor<i1>, tensor<4xf32>, tensor<4xi8>) -> tensor<4xf32>
  return
}
