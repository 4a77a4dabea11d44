// RUN: tess opt %s -split-input-file -verify-diagnostics
// Quantized types, ragged products, loops and branches that do not fit, as the dialects' verifiers have it.

func.func @transpose_changes_the_scale(%a: tensor<2x3x!quant.uniform<i8:f32, 2.0:1>>) {
  // expected-error@+1 {{has other scales or zero points in its result (C1)}}
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<3x2x!quant.uniform<i8:f32, 3.0:1>>
  return
}

// -----

func.func @transpose_moves_the_axis(%a: tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{has other scales or zero points in its result (C1)}}
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>
  return
}

// -----

func.func @transpose_changes_scales_of_the_axis(%a: tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{has other scales or zero points in its result (C1)}}
  %r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 3.0}>>
  return
}

// -----

func.func @reshape_changes_the_axis_size(%a: tensor<2x6x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{has other scales or zero points in its result (C1)}}
  %r = "stablehlo.reshape"(%a) : (tensor<2x6x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<4x3x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0, 2.0}>>
  return
}

// -----

func.func @reshape_moves_the_axis(%a: tensor<2x6x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{moves the quantized dimension (C3)}}
  %r = "stablehlo.reshape"(%a) : (tensor<2x6x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<6x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// -----

func.func @broadcast_moves_the_axis(%a: tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{is quantized along dimension 1 of the result, expected 0 (C6)}}
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x2x3x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// -----

func.func @broadcast_of_one_scale(%a: tensor<1x3x!quant.uniform<i8:f32:0, {1.0}>>) {
  // expected-error@+1 {{has another scale or zero point at index 1 of its result (C6)}}
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3x!quant.uniform<i8:f32:0, {1.0}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}

// -----

func.func @add_of_quantized_and_plain(%a: tensor<2x!quant.uniform<i8:f32, 2.0:1>>, %b: tensor<2xf32>) {
  // expected-error@+1 {{has operands of types tensor<2x!quant.uniform<i8:f32>> and tensor<2xf32>, expected the same elements}}
  %r = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 2.0:1>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.0:1>>
  return
}

// -----

func.func @add_of_two_storages(%a: tensor<2x!quant.uniform<i8:f32, 2.0:1>>, %b: tensor<2x!quant.uniform<i16:f32, 2.0:1>>) {
  // expected-error@+1 {{has operands of types tensor<2x!quant.uniform<i8:f32>> and tensor<2x!quant.uniform<i16:f32>>, expected the same elements}}
  %r = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 2.0:1>>, tensor<2x!quant.uniform<i16:f32, 2.0:1>>) -> tensor<2x!quant.uniform<i8:f32, 2.0:1>>
  return
}

// -----

func.func @add_of_two_expressed_types(%a: tensor<2x!quant.uniform<i8:f32, 2.0:1>>, %b: tensor<2x!quant.uniform<i8:bf16, 2.0:1>>) {
  // expected-error@+1 {{has operands of types tensor<2x!quant.uniform<i8:f32>> and tensor<2x!quant.uniform<i8:bf16>>, expected the same elements}}
  %r = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 2.0:1>>, tensor<2x!quant.uniform<i8:bf16, 2.0:1>>) -> tensor<2x!quant.uniform<i8:f32, 2.0:1>>
  return
}

// -----

func.func @add_along_another_axis(%a: tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) {
  // expected-error@+1 {{has an operand 1 quantized along another dimension than its result (C7)}}
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}

// -----

func.func @add_of_tensors_to_an_axis(%a: tensor<2x2x!quant.uniform<i8:f32, 2.0:1>>, %b: tensor<2x2x!quant.uniform<i8:f32, 2.0:1>>) {
  // expected-error@+1 {{has a result quantized per axis, but no operand that is (C5)}}
  %r = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32, 2.0:1>>, tensor<2x2x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}

// -----

func.func @dot_of_two_storages(%a: tensor<2x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<2x2x!quant.uniform<i16:f32, 2.0>>) {
  // expected-error@+1 {{has operands of different storage types (C17)}}
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 2.0>>, tensor<2x2x!quant.uniform<i16:f32, 2.0>>) -> tensor<2x2x!quant.uniform<i32:f32, 2.0:1>>
  return
}

// -----

func.func @dot_of_two_expressed_types(%a: tensor<2x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<2x2x!quant.uniform<i8:bf16, 2.0>>) {
  // expected-error@+1 {{mixes expressed types (C18)}}
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 2.0>>, tensor<2x2x!quant.uniform<i8:bf16, 2.0>>) -> tensor<2x2x!quant.uniform<i32:f32, 2.0:1>>
  return
}

// -----

func.func @dot_of_tensors_to_an_axis(%a: tensor<2x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<2x2x!quant.uniform<i8:f32, 2.0>>) {
  // expected-error@+1 {{has a result quantized per axis for a right side quantized per tensor (C19)}}
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 2.0>>, tensor<2x2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// -----

func.func @dot_contracts_the_quantized_axis(%a: tensor<2x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  // expected-error@+1 {{contracts the quantized dimension of its right side (C16)}}
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 2.0>>, tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x2x!quant.uniform<i32:f32, 2.0:1>>
  return
}

// -----

func.func @dot_hybrid_of_another_type(%a: tensor<2x2xbf16>, %b: tensor<2x2x!quant.uniform<i8:f32, 2.0>>) {
  // expected-error@+1 {{has another element type than its right side expresses (C20)}}
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xbf16>, tensor<2x2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @conv_quantized_along_the_input_feature(%a: tensor<1x4x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<3x2x4x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) {
  // expected-error@+1 {{has a kernel quantized along another dimension than its output features (C29)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 2.0>>, tensor<3x2x4x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<1x2x4x!quant.uniform<i32:f32, 2.0>>
  return
}

// -----

func.func @conv_result_quantized_along_the_batch(%a: tensor<1x4x2x!quant.uniform<i8:f32, 2.0>>, %b: tensor<3x2x4x!quant.uniform<i8:f32:2, {1.0, 2.0, 1.0, 2.0}>>) {
  // expected-error@+1 {{has a result quantized along another dimension than its features (C30)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 2.0>>, tensor<3x2x4x!quant.uniform<i8:f32:2, {1.0, 2.0, 1.0, 2.0}>>) -> tensor<1x2x4x!quant.uniform<i32:f32:0, {2.0}>>
  return
}

// -----

func.func @quantize_of_another_type(%a: tensor<2xbf16>) {
  // expected-error@+1 {{expresses f32, expected bf16 (C2)}}
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2xbf16>) -> tensor<2x!quant.uniform<i8:f32, 2.0:1>>
  return
}

// -----

func.func @top_k_of_too_many(%a: tensor<4xf32>) {
  // expected-error@+1 {{takes 5 of 4 elements, which are not so many}}
  %r:2 = chlo.top_k(%a, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return
}

// -----

func.func @constant_like_of_another_type(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a value of another type than its result's elements}}
  %r = "chlo.constant_like"(%a) {value = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @ragged_batches_of_other_sizes(%a: tensor<2x4x5xf32>, %b: tensor<3x3x5x7xf32>, %s: tensor<2x3xi64>) {
  // expected-error@+1 {{has batches of different sizes, expected the same}}
  %r = "chlo.ragged_dot"(%a, %b, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<2x4x5xf32>, tensor<3x3x5x7xf32>, tensor<2x3xi64>) -> tensor<2x4x7xf32>
  return
}

// -----

func.func @ragged_group_sizes_of_other_batches(%a: tensor<2x4x5xf32>, %b: tensor<3x2x5x7xf32>, %s: tensor<3x3xi64>) {
  // expected-error@+1 {{has group sizes tensor<3x3xi64>, which do not fit tensor<2x4x5xf32>}}
  %r = "chlo.ragged_dot"(%a, %b, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<2x4x5xf32>, tensor<3x2x5x7xf32>, tensor<3x3xi64>) -> tensor<2x4x7xf32>
  return
}

// -----

func.func @ragged_without_a_group(%a: tensor<4x5xf32>, %b: tensor<3x5x7xf32>, %s: tensor<3xi64>) {
  // expected-error@+1 {{has 0 group dimensions, expected 1}}
  %r = "chlo.ragged_dot"(%a, %b, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<4x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<4x7xf32>
  return
}

// -----

func.func @ragged_in_two_dimensions(%a: tensor<4x5xf32>, %b: tensor<3x5x7xf32>, %s: tensor<3xi64>) {
  // expected-error@+1 {{has 2 ragged dimensions, expected 1}}
  %r = "chlo.ragged_dot"(%a, %b, %s) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<4x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<4x7xf32>
  return
}

// -----

func.func @for_with_two_results(%n: index, %a: f32) {
  // expected-error@+1 {{has 2 arguments and 2 results, expected 2 and 1}}
  %r:2 = "scf.for"(%n, %n, %n, %a) ({
  ^bb0(%i: index, %x: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> (f32, f32)
  return
}

// -----

func.func @for_counts_with_another_type(%n: index, %k: i32, %a: f32) {
  // expected-error@+1 {{counts with index from i32}}
  %r = "scf.for"(%n, %k, %n, %a) ({
  ^bb0(%i: index, %x: f32):
    scf.yield %x : f32
  }) : (index, i32, index, f32) -> f32
  return
}

// -----

func.func @for_gives_another_type(%n: index, %a: f32) {
  // expected-error@+1 {{passes f32 as value 0 to f32, and gives f64}}
  %r = "scf.for"(%n, %n, %n, %a) ({
  ^bb0(%i: index, %x: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> f64
  return
}

// -----

func.func @for_yields_nothing(%n: index, %a: f32) {
  // expected-error@+1 {{has a region 0 that gives 0 values, expected 1}}
  %r = "scf.for"(%n, %n, %n, %a) ({
  ^bb0(%i: index, %x: f32):
    scf.yield
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @while_before_takes_another_type(%a: f32, %t: i1) {
  // expected-error@+1 {{has a region 0 whose argument 0 is f64}}
  %r = "scf.while"(%a) ({
  ^bb0(%x: f64):
    scf.condition(%t) %x : f64
  }, {
  ^bb0(%x: f64):
    scf.yield %a : f32
  }) : (f32) -> f64
  return
}

// -----

func.func @while_after_takes_another_type(%a: f32, %t: i1) {
  // expected-error@+1 {{has a region 1 whose argument 0 is f64}}
  %r = "scf.while"(%a) ({
  ^bb0(%x: f32):
    scf.condition(%t) %x : f32
  }, {
  ^bb0(%x: f64):
    scf.yield %a : f32
  }) : (f32) -> f32
  return
}

// -----

func.func @while_ends_in_a_yield(%a: f32) {
  // expected-error@+1 {{has a region 0 that must end in scf.condition}}
  %r = "scf.while"(%a) ({
  ^bb0(%x: f32):
    scf.yield %x : f32
  }, {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }) : (f32) -> f32
  return
}

// -----

func.func @while_passes_on_too_little(%a: f32, %t: i1) {
  // expected-error@+1 {{has a region 0 that gives 0 values, expected 1}}
  %r = "scf.while"(%a) ({
  ^bb0(%x: f32):
    "scf.condition"(%t) : (i1) -> ()
  }, {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }) : (f32) -> f32
  return
}

// -----

func.func @branch_with_too_few_values(%a: f32) {
  // expected-error@+1 {{passes 0 values to a block of 1 arguments}}
  "cf.br"()[^b] : () -> ()
  ^b(%x: f32):
  return
}

// -----

func.func @branch_with_another_type(%a: f32) {
  // expected-error@+1 {{passes f32 to a block whose argument 0 is f64}}
  "cf.br"(%a)[^b] : (f32) -> ()
  ^b(%x: f64):
  return
}

// -----

func.func @branch_to_nowhere(%a: f32) {
  // expected-error@+1 {{has 0 successors, expected 1}}
  "cf.br"() : () -> ()
  ^b:
  return
}

// -----

func.func @branch_on_a_number(%a: i32) {
  // expected-error@+1 {{has a condition i32, expected i1}}
  "cf.cond_br"(%a)[^b, ^b] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^b:
  return
}

// -----

func.func @branch_segments_do_not_add_up(%a: i1) {
  // expected-error@+1 {{attribute 'operandSegmentSizes' does not add up to the operands}}
  "cf.cond_br"(%a)[^b, ^b] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1) -> ()
  ^b:
  return
}

// -----

func.func @branch_segments_without_the_condition(%a: i1) {
  // expected-error@+1 {{attribute 'operandSegmentSizes' must start with 1}}
  "cf.cond_br"(%a)[^b, ^b] <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (i1) -> ()
  ^b:
  return
}

// -----

func.func @branch_to_one_of_two(%a: i1) {
  // expected-error@+1 {{has 1 successors, expected 2}}
  "cf.cond_br"(%a)[^b] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^b:
  return
}

// -----

func.func @switch_on_another_type(%a: i32) {
  // expected-error@+1 {{attribute 'case_values' must be numbers of the flag's type}}
  "cf.switch"(%a)[^b, ^b] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^b:
  return
}

// -----

func.func @switch_with_too_few_blocks(%a: i32) {
  // expected-error@+1 {{has 1 successors, expected 2}}
  "cf.switch"(%a)[^b] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^b:
  return
}

// -----

func.func @switch_passes_too_much(%a: i32) {
  // expected-error@+1 {{passes 1 values to a block of 0 arguments}}
  "cf.switch"(%a, %a)[^b, ^b] <{case_operand_segments = array<i32: 1>, case_values = dense<1> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
  ^b:
  return
}
