// Quantized elements, by the examples of StableHLO's specification and by hand.
// RUN: tess eval %s --quiet

func.func @main() {
  %x = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
  %bits = stablehlo.bitcast_convert %q : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %bits, dense<10> : tensor<2xi8>

  // To other scales, and back to numbers.
  %r = stablehlo.uniform_quantize %q : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>
  %r_bits = stablehlo.bitcast_convert %r : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %r_bits, dense<[20, 45]> : tensor<2xi8>
  %y = stablehlo.uniform_dequantize %r : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>) -> tensor<2xf32>
  check.expect_almost_eq_const %y, dense<[4.0, 15.0]> : tensor<2xf32>

  // Beyond the range: -100 / 0.5 saturates at the range of the storage.
  %far = stablehlo.constant dense<[-100.0, 100.0]> : tensor<2xf32>
  %s = stablehlo.uniform_quantize %far : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-100:90>:f32, 0.5:0>>
  %s_bits = stablehlo.bitcast_convert %s : (tensor<2x!quant.uniform<i8<-100:90>:f32, 0.5:0>>) -> tensor<2xi8>
  check.expect_eq_const %s_bits, dense<[-100, 90]> : tensor<2xi8>

  // A product sums integers: (1 + 2 + 3) steps of 0.5 * 0.25, in steps of 0.125.
  %a = stablehlo.constant dense<[[0.5, 1.0, 1.5]]> : tensor<1x3xf32>
  %b = stablehlo.constant dense<0.25> : tensor<3x1xf32>
  %qa = stablehlo.uniform_quantize %a : (tensor<1x3xf32>) -> tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>
  %qb = stablehlo.uniform_quantize %b : (tensor<3x1xf32>) -> tensor<3x1x!quant.uniform<i8:f32, 0.25:0>>
  %dot = stablehlo.dot_general %qa, %qb, contracting_dims = [1] x [0] : (tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>, tensor<3x1x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<1x1x!quant.uniform<i32:f32, 0.125:1>>
  %dot_bits = stablehlo.bitcast_convert %dot : (tensor<1x1x!quant.uniform<i32:f32, 0.125:1>>) -> tensor<1x1xi32>
  check.expect_eq_const %dot_bits, dense<7> : tensor<1x1xi32>

  // One scale for each column of the right side: 3 columns of 1 + 2 + 3 steps of 0.5 * (0.25, 0.5, 1),
  // in steps of 0.25.  Of the kernel of a convolution the features are such columns.
  %c = stablehlo.constant dense<[[0.25, 0.5, 1.0], [0.25, 0.5, 1.0], [0.25, 0.5, 1.0]]> : tensor<3x3xf32>
  %qc = stablehlo.uniform_quantize %c : (tensor<3x3xf32>) -> tensor<3x3x!quant.uniform<i8:f32:1, {0.25:0,0.5:0,1.0:0}>>
  %columns = stablehlo.dot_general %qa, %qc, contracting_dims = [1] x [0] : (tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>, tensor<3x3x!quant.uniform<i8:f32:1, {0.25:0,0.5:0,1.0:0}>>) -> tensor<1x3x!quant.uniform<i32:f32, 0.25:0>>
  %columns_bits = stablehlo.bitcast_convert %columns : (tensor<1x3x!quant.uniform<i32:f32, 0.25:0>>) -> tensor<1x3xi32>
  check.expect_eq_const %columns_bits, dense<[[3, 6, 12]]> : tensor<1x3xi32>
  %conv = stablehlo.convolution(%qa, %qc) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>, tensor<3x3x!quant.uniform<i8:f32:1, {0.25:0,0.5:0,1.0:0}>>) -> tensor<1x3x!quant.uniform<i32:f32, 0.25:0>>
  %conv_bits = stablehlo.bitcast_convert %conv : (tensor<1x3x!quant.uniform<i32:f32, 0.25:0>>) -> tensor<1x3xi32>
  check.expect_eq_const %conv_bits, dense<[[3, 6, 12]]> : tensor<1x3xi32>

  // Elements that only move keep their bits.
  %t = stablehlo.reverse %qa, dims = [1] : tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>
  %t_bits = stablehlo.bitcast_convert %t : (tensor<1x3x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<1x3xi8>
  check.expect_eq_const %t_bits, dense<[[10, 9, 8]]> : tensor<1x3xi8>
  return
}
