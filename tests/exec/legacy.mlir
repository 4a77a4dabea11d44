// RUN: tess eval %s --quiet
// Operations of older programs, and random numbers, whose range and mean are known.

func.func @main() {
  %v = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.broadcast %v, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
  %like = "chlo.constant_like"(%0) <{value = 2.500000e+00 : f32}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %like, dense<2.5> : tensor<3x2xf32>

  %lo = stablehlo.constant dense<-2.0> : tensor<f32>
  %hi = stablehlo.constant dense<6.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<10000> : tensor<1xi64>
  %uniform = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10000xf32>
  %least = stablehlo.reduce(%uniform init: %hi) applies stablehlo.minimum across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %most = stablehlo.reduce(%uniform init: %lo) applies stablehlo.maximum across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %in = stablehlo.compare GE, %least, %lo : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %below = stablehlo.compare LT, %most, %hi : (tensor<f32>, tensor<f32>) -> tensor<i1>
  check.expect_eq_const %in, dense<true> : tensor<i1>
  check.expect_eq_const %below, dense<true> : tensor<i1>
  // Of 10,000 numbers of [-2, 6) the mean is within 0.2 of 2, which is 8 standard deviations.
  %n = stablehlo.constant dense<10000.0> : tensor<f32>
  %all = stablehlo.reduce(%uniform init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %all, %n : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %off = stablehlo.subtract %mean, %two : tensor<f32>
  %far = stablehlo.abs %off : tensor<f32>
  %limit = stablehlo.constant dense<0.2> : tensor<f32>
  %near = stablehlo.compare LT, %far, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  // Mean -2, standard deviation 6: two thirds lie within one of it.
  %normal = stablehlo.rng %lo, %hi, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10000xf32>
  %lo_all = stablehlo.broadcast_in_dim %lo, dims = [] : (tensor<f32>) -> tensor<10000xf32>
  %hi_all = stablehlo.broadcast_in_dim %hi, dims = [] : (tensor<f32>) -> tensor<10000xf32>
  %from_mean = stablehlo.subtract %normal, %lo_all : tensor<10000xf32>
  %distance = stablehlo.abs %from_mean : tensor<10000xf32>
  %within = stablehlo.compare LT, %distance, %hi_all : (tensor<10000xf32>, tensor<10000xf32>) -> tensor<10000xi1>
  %ones = stablehlo.convert %within : (tensor<10000xi1>) -> tensor<10000xf32>
  %count = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %least_count = stablehlo.constant dense<6500.0> : tensor<f32>
  %most_count = stablehlo.constant dense<7150.0> : tensor<f32>
  %clamped = stablehlo.clamp %least_count, %count, %most_count : tensor<f32>
  check.expect_eq %clamped, %count : tensor<f32>
  // Integers.
  %zero_i = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %dice = stablehlo.rng %zero_i, %three, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<10000xi32>
  %most_i = stablehlo.reduce(%dice init: %zero_i) applies stablehlo.maximum across dimensions = [0] : (tensor<10000xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %most_i, dense<2> : tensor<i32>
  return
}
