// RUN: tess opt %s -split-input-file -verify-diagnostics
// Operations that change shapes or take a part.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @bitcast_convert_1(%0: tensor<0xf32>) {
  // expected-error@+1 {{turns tensor<0xf32> into tensor<4x2xf16>: dimension 0 differs (C1)}}
  %r = "stablehlo.bitcast_convert"(%0) : (tensor<0xf32>) -> tensor<4x2xf16>
  return
}

// -----

func.func @bitcast_convert_2(%0: tensor<4xf32>) {
  // expected-error@+1 {{turns tensor<4xf32> into tensor<4x2xi8>: the last dimension must be 4 (C1)}}
  %r = "stablehlo.bitcast_convert"(%0) : (tensor<4xf32>) -> tensor<4x2xi8>
  return
}

// -----

func.func @bitcast_convert_3(%0: tensor<f32>) {
  // expected-error@+1 {{turns tensor<f32> into tensor<4x2xf16>; the narrow side needs 1 dimension more (C1)}}
  %r = "stablehlo.bitcast_convert"(%0) : (tensor<f32>) -> tensor<4x2xf16>
  return
}

// -----

func.func @bitcast_convert_4(%0: tensor<4xf32>) {
  // expected-error@+1 {{turns tensor<4xf32> into tensor<4x2xcomplex<f32>>; complex numbers become only complex numbers (C2)}}
  %r = "stablehlo.bitcast_convert"(%0) : (tensor<4xf32>) -> tensor<4x2xcomplex<f32>>
  return
}

// -----

func.func @bitcast_convert_5(%0: tensor<1x33x31xf32>) {
  // expected-error@+1 {{turns tensor<1x33x31xf32> into tensor<2x1x33x31xf32>; the narrow side needs 0 dimensions more (C1)}}
  %r = "stablehlo.bitcast_convert"(%0) : (tensor<1x33x31xf32>) -> tensor<2x1x33x31xf32>
  return
}

// -----

func.func @broadcast_1(%0: tensor<f32>) {
  // expected-error@+1 {{result 0 is tensor<2x3x4xf32>, but its operands and attributes make tensor<2x3xf32>}}
  %r = "stablehlo.broadcast"(%0) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<f32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @broadcast_2(%0: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'broadcast_sizes' has the negative size -1}}
  %r = "stablehlo.broadcast"(%0) <{broadcast_sizes = array<i64: -1, 3>}> : (tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @broadcast_in_dim_1(%0: tensor<4xf32>) {
  // expected-error@+1 {{has a result tensor<3x?xf32>, expected a static or bounded one}}
  %r = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @broadcast_in_dim_2(%0: tensor<i64>) {
  // expected-error@+1 {{turns tensor<i64> into tensor<1xi1>, expected the same elements (C1)}}
  %r = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<1xi1>
  return
}

// -----

func.func @broadcast_in_dim_3(%0: tensor<0xf32>) {
  // expected-error@+1 {{maps dimension 0 of size 0 to one of size 4 (C5)}}
  %r = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<0xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_in_dim_4(%0: tensor<4xf32>) {
  // expected-error@+1 {{has 1 in broadcast_dimensions, expected numbers in [0, 1) (C4)}}
  %r = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concatenate_1(%0: tensor<4x4xi1>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{joins tensor<4x4xi1> and tensor<4x4xf32>, expected the same elements (C1)}}
  %r = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<4x4xi1>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @concatenate_2(%0: tensor<3x4xf32>, %1: tensor<4x4xf32>) {
  // expected-error@+1 {{joins sizes 3 and 4 of dimension 0 (C2)}}
  %r = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @concatenate_3(%0: tensor<4x4xf32>, %1: tensor<4xf32>) {
  // expected-error@+1 {{joins ranks 2 and 1 (C2)}}
  %r = "stablehlo.concatenate"(%0, %1) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @concatenate_4(%0: tensor<4x1x1xui4>) {
  // expected-error@+1 {{attribute 'dimension' is -1, expected a number in [0, 3)}}
  %r = "stablehlo.concatenate"(%0) <{dimension = -1 : i64}> : (tensor<4x1x1xui4>) -> tensor<4x4x1xui4>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_1(%0: tensor<4xf32>, %1: tensor<2xi64>) {
  // expected-error@+1 {{has 0 twice in the known dimensions (C8)}}
  %r = "stablehlo.dynamic_broadcast_in_dim"(%0, %1) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0, 0>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_2(%0: tensor<3x2x3xi1>, %1: tensor<4xi32>) {
  // expected-error@+1 {{maps 2 dimensions, but its operand has 3 (C2)}}
  %r = "stablehlo.dynamic_broadcast_in_dim"(%0, %1) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<3x2x3xi1>, tensor<4xi32>) -> tensor<2x3x2x3xi1>
  return
}

// -----

func.func @dynamic_iota(%0: tensor<1xi64>) {
  // expected-error@+1 {{attribute 'iota_dimension' is 1, expected a number in [0, 1)}}
  %r = "stablehlo.dynamic_iota"(%0) <{iota_dimension = 1 : i64}> : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_1(%0: tensor<4xf32>, %1: tensor<f32>, %2: tensor<1xi64>, %3: tensor<0xi64>, %4: tensor<1xi64>) {
  // expected-error@+1 {{has 0 indices in operand 3 for rank 1 (C2)}}
  %r = "stablehlo.dynamic_pad"(%0, %1, %2, %3, %4) : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<0xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_2(%0: tensor<4xf32>, %1: tensor<i1>, %2: tensor<1xi64>, %3: tensor<1xi64>, %4: tensor<1xi64>) {
  // expected-error@+1 {{pads tensor<4xf32> with tensor<i1> to tensor<?xf32>, expected the same elements (C1)}}
  %r = "stablehlo.dynamic_pad"(%0, %1, %2, %3, %4) : (tensor<4xf32>, tensor<i1>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_3(%0: tensor<4xf32>, %1: tensor<f32>, %2: tensor<1xi64>, %3: tensor<1xi64>, %4: tensor<1xi64>) {
  // expected-error@+1 {{turns rank 1 into rank 0}}
  %r = "stablehlo.dynamic_pad"(%0, %1, %2, %3, %4) : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<f32>
  return
}

// -----

func.func @dynamic_pad_4(%0: tensor<4xf32>, %1: tensor<3xf32>, %2: tensor<1xi64>, %3: tensor<1xi64>, %4: tensor<1xi64>) {
  // expected-error@+1 {{has a padding value of rank 1, expected a scalar (I2)}}
  %r = "stablehlo.dynamic_pad"(%0, %1, %2, %3, %4) : (tensor<4xf32>, tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_5(%0: tensor<4x1xi32>, %1: tensor<i32>, %2: tensor<2xi64>, %3: tensor<2xi64>, %4: tensor<2xi64>) {
  // expected-error@+1 {{pads tensor<4x1xi32> with tensor<i32> to tensor<7x5xbf16>, expected the same elements (C1)}}
  %r = "stablehlo.dynamic_pad"(%0, %1, %2, %3, %4) : (tensor<4x1xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<7x5xbf16>
  return
}

// -----

func.func @dynamic_reshape_1(%0: tensor<4x4xf32>, %1: tensor<0xi64>) {
  // expected-error@+1 {{has a shape of 0 numbers for a result of rank 1 (C4)}}
  %r = "stablehlo.dynamic_reshape"(%0, %1) : (tensor<4x4xf32>, tensor<0xi64>) -> tensor<16xf32>
  return
}

// -----

func.func @dynamic_reshape_2(%0: tensor<4x4xf32>, %1: tensor<*xi64>) {
  // expected-error@+1 {{operand 1 is tensor<*xi64>, expected a one-dimensional static tensor of integers}}
  %r = "stablehlo.dynamic_reshape"(%0, %1) : (tensor<4x4xf32>, tensor<*xi64>) -> tensor<16xf32>
  return
}

// -----

func.func @dynamic_reshape_3(%0: tensor<4xf32>, %1: tensor<1xi64>) {
  // expected-error@+1 {{turns 4 elements into 16 (C2)}}
  %r = "stablehlo.dynamic_reshape"(%0, %1) : (tensor<4xf32>, tensor<1xi64>) -> tensor<16xf32>
  return
}

// -----

func.func @iota_1() {
  // expected-error@+1 {{attribute 'iota_dimension' is required}}
  %r = "stablehlo.iota"() <{}> : () -> tensor<1x4xi4>
  return
}

// -----

func.func @iota_2() {
  // expected-error@+1 {{counts in i1}}
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xi1>
  return
}

// -----

func.func @pad_1(%0: tensor<f64>, %1: tensor<i8>) {
  // expected-error@+1 {{pads tensor<f64> with tensor<i8>, expected the same elements (C1)}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64>, edge_padding_low = array<i64>, interior_padding = array<i64>}> : (tensor<f64>, tensor<i8>) -> tensor<i8>
  return
}

// -----

func.func @pad_2(%0: tensor<i1>, %1: tensor<i1>) {
  // expected-error@+1 {{pads 1 dimensions, but its operand has 0 (C2)}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: -1>, interior_padding = array<i64: 0>}> : (tensor<i1>, tensor<i1>) -> tensor<?xi1>
  return
}

// -----

func.func @pad_3(%0: tensor<?xf64>, %1: tensor<?xf64>) {
  // expected-error@+1 {{has a padding value of rank 1, expected a scalar (I2)}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64>, edge_padding_low = array<i64>, interior_padding = array<i64>}> : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @pad_4(%0: tensor<2xi1>, %1: tensor<i1>) {
  // expected-error@+1 {{has negative interior padding in dimension 0 (C3)}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: -1>, interior_padding = array<i64: -1>}> : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return
}

// -----

func.func @pad_5(%0: tensor<1235xi16>, %1: tensor<i16>) {
  // expected-error@+1 {{attribute 'edge_padding_high' has 2 elements, expected 1}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<1235xi16>, tensor<i16>) -> tensor<1235xi16>
  return
}

// -----

func.func @pad_6(%0: tensor<4x4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{attribute 'interior_padding' has 1 elements, expected 2}}
  %r = "stablehlo.pad"(%0, %1) <{edge_padding_high = array<i64: 0, 1>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0>}> : (tensor<4x4xf32>, tensor<f32>) -> tensor<5x11xf32>
  return
}

// -----

func.func @real_dynamic_slice_1(%0: tensor<4xf32>, %1: tensor<i64>, %2: tensor<i64>, %3: tensor<i64>) {
  // expected-error@+1 {{operand 1 is tensor<i64>, expected a one-dimensional tensor of integers}}
  %r = "stablehlo.real_dynamic_slice"(%0, %1, %2, %3) : (tensor<4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_2(%0: tensor<f32>, %1: tensor<1xi64>, %2: tensor<1xi64>, %3: tensor<1xi64>) {
  // expected-error@+1 {{turns rank 0 into rank 1}}
  %r = "stablehlo.real_dynamic_slice"(%0, %1, %2, %3) : (tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_3(%0: tensor<4xf32>, %1: tensor<1xi64>, %2: tensor<1xi64>, %3: tensor<1xui32>) {
  // expected-error@+1 {{has index operands of different types}}
  %r = "stablehlo.real_dynamic_slice"(%0, %1, %2, %3) : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xui32>) -> tensor<?xf32>
  return
}

// -----

func.func @reshape(%0: tensor<12xi8>) {
  // expected-error@+1 {{turns tensor<12xi8> into tensor<3x4xf32>, expected the same elements (C1)}}
  %r = "stablehlo.reshape"(%0) : (tensor<12xi8>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reverse(%0: tensor<3xf64>) {
  // expected-error@+1 {{has 1 in dimensions, expected numbers in [0, 1) (C2, C3)}}
  %r = "stablehlo.reverse"(%0) <{dimensions = array<i64: 0, 1>}> : (tensor<3xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @set_dimension_size_1(%0: tensor<4xf32>, %1: tensor<i32>) {
  // expected-error@+1 {{attribute 'dimension' is 1, expected a number in [0, 1)}}
  %r = "stablehlo.set_dimension_size"(%0, %1) <{dimension = 1 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// -----

func.func @set_dimension_size_2(%0: tensor<4x4xf32>, %1: tensor<3xi32>) {
  // expected-error@+1 {{has a size of rank 1, expected a scalar}}
  %r = "stablehlo.set_dimension_size"(%0, %1) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<3xi32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// -----

func.func @set_dimension_size_3(%0: tensor<4x4xf32>, %1: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.set_dimension_size' op: tensor<?xf32> has 2 bounds, expected 1}}
  %r = "stablehlo.set_dimension_size"(%0, %1) <{}> : (tensor<4x4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<?, 4>>
  return
}

// -----

func.func @slice_1(%0: tensor<f8E3M4>) {
  // expected-error@+1 {{attribute 'start_indices' has 1 elements, expected 0}}
  %r = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 2>}> : (tensor<f8E3M4>) -> tensor<1xf8E3M4>
  return
}

// -----

func.func @slice_2(%0: tensor<3xf8E3M4>) {
  // expected-error@+1 {{starts at -1 in dimension 0, expected at least 0 (C3)}}
  %r = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2>, start_indices = array<i64: -1>, strides = array<i64: 2>}> : (tensor<3xf8E3M4>) -> tensor<1xf8E3M4>
  return
}

// -----

func.func @slice_3(%0: tensor<3xf8E3M4>) {
  // expected-error@+1 {{has stride -1 in dimension 0, expected at least 1 (C4)}}
  %r = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: -1>}> : (tensor<3xf8E3M4>) -> tensor<1xf8E3M4>
  return
}

// -----

func.func @slice_4(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{starts at 1 after its end 0 in dimension 1 (C3)}}
  %r = "stablehlo.slice"(%0) <{limit_indices = array<i64: 4, 0>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<4x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @slice_5(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{attribute 'limit_indices' has 1 elements, expected 2}}
  %r = "stablehlo.slice"(%0) <{limit_indices = array<i64: 4>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @transpose(%0: tensor<f64>) {
  // expected-error@+1 {{permutes 1 dimensions, but its operand has 0 (C2)}}
  %r = "stablehlo.transpose"(%0) <{permutation = array<i64: 0>}> : (tensor<f64>) -> tensor<3xf64>
  return
}
