// RUN: tess opt %s -split-input-file -verify-diagnostics
// Quantized types where they may not be.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @broadcast_multiply(%0: tensor<4xi32>, %1: tensor<i32>) {
  // expected-error@+1 {{has a result tensor<4x!quant.uniform<i8:f32>> for an operand tensor<4xi32>}}
  %r = "chlo.broadcast_multiply"(%0, %1) : (tensor<4xi32>, tensor<i32>) -> tensor<4x!quant.uniform<i8:f32, 1.000000e+00:17>>
  return
}

// -----

func.func @broadcast_select(%0: tensor<4x1xi1>, %1: tensor<4x1xf32>, %2: tensor<4x1x!quant.uniform<i8:f32, 2.000000e+00>>) {
  // expected-error@+1 {{has operands tensor<4x1xf32> and tensor<4x1x!quant.uniform<i8:f32>>, expected the same elements}}
  %r = "chlo.broadcast_select"(%0, %1, %2) : (tensor<4x1xi1>, tensor<4x1xf32>, tensor<4x1x!quant.uniform<i8:f32, 2.000000e+00>>) -> tensor<4x1x!quant.uniform<i8:f32, 2.000000e+00>>
  return
}

// -----

func.func @collective_broadcast(%0: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'replica_groups' is of another kind than the op takes}}
  %r = "stablehlo.collective_broadcast"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2x!quant.uniform<i8:f32, 1.000000e+00:17>>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negate(%0: tensor<f32>) {
  // expected-error@+1 {{result 0 is tensor<!quant.uniform<i8:f32>>, expected a tensor of integers, floats or complex numbers}}
  %r = "stablehlo.negate"(%0) : (tensor<f32>) -> tensor<!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>>
  return
}

// -----

func.func @reduce_scatter(%0: tensor<8x8xf32>) {
  // expected-error@+1 {{has a result tensor<8x2x!quant.uniform<i8:f32>> for a reducer on tensor<f32> (C9)}}
  %r = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x2x!quant.uniform<i8:f32, 2.000000e+00>>
  return
}

// -----

func.func @scatter(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1x!quant.uniform<i8:f32, 2.000000e+00>>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has indices tensor<3x2x1x!quant.uniform<i8:f32>>, expected integers (I2)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1x!quant.uniform<i8:f32, 2.000000e+00>>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @select_and_scatter(%0: tensor<3xbf16>, %1: tensor<2xbf16>, %2: tensor<!quant.uniform<i8:f32, 1.000000e+00:17>>) {
  // expected-error@+1 {{has a reducer on tensor<bf16>, which an initial value of tensor<!quant.uniform<i8:f32>> does not fit}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
  ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%4) : (tensor<bf16>) -> ()
  }) : (tensor<3xbf16>, tensor<2xbf16>, tensor<!quant.uniform<i8:f32, 1.000000e+00:17>>) -> tensor<3xbf16>
  return
}

// -----

func.func @sqrt(%0: tensor<3x1x1xf8E5M2>) {
  // expected-error@+1 {{result 0 is tensor<3x1x1x!quant.uniform<i8:f32>>, expected a tensor of floats or complex numbers}}
  %r = "stablehlo.sqrt"(%0) : (tensor<3x1x1xf8E5M2>) -> tensor<3x1x1x!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>>
  return
}

// -----

func.func @uniform_quantize_1(%0: tensor<f32>) {
  // expected-error@+1 {{result 0 is tensor<4xi1>, expected a tensor of quantized numbers}}
  %r = "stablehlo.uniform_quantize"(%0) : (tensor<f32>) -> tensor<4xi1>
  return
}

// -----

func.func @uniform_quantize_2(%0: tensor<3xi1>) {
  // expected-error@+1 {{quantizes tensor<3xi1>, expected floats (I1)}}
  %r = "stablehlo.uniform_quantize"(%0) : (tensor<3xi1>) -> tensor<3x!quant.uniform<i4:f32, 2.000000e+00>>
  return
}

// -----

func.func @uniform_quantize_3(%0: tensor<3xf64>) {
  // expected-error@+1 {{expresses f32, expected f64 (C2)}}
  %r = "stablehlo.uniform_quantize"(%0) : (tensor<3xf64>) -> tensor<3x!quant.uniform<i4:f32, 2.000000e+00>>
  return
}

// -----

func.func @uniform_quantize_4(%0: tensor<1x1xf32>) {
  // expected-error@+1 {{result 0 is tensor<*x!quant.uniform<i4:f32>>, expected a ranked tensor}}
  %r = "stablehlo.uniform_quantize"(%0) : (tensor<1x1xf32>) -> tensor<*x!quant.uniform<i4:f32:0, {5.000000e-01:3}>>
  return
}
