// RUN: tess opt %s -split-input-file -verify-diagnostics
// Shapes, windows and groups that do not fit.  StableHLO's verifier refuses each of these too, but for a
// shape, a slice and a random state of another size; C and I are its specification's constraints.

func.func @dynamic_iota_of_another_rank(%s: tensor<2xi32>) {
  // expected-error@+1 {{has a shape of 2 numbers for a result of rank 1 (C2)}}
  %r = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_iota_of_a_scalar(%s: tensor<0xi32>) {
  // expected-error@+1 {{has a scalar result, expected at least one dimension}}
  %r = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<0xi32>) -> tensor<f32>
  return
}

// -----

func.func @dynamic_iota_of_another_shape() {
  %s = stablehlo.constant dense<[4]> : tensor<1xi32>
  // expected-error@+1 {{has the shape [4] for a result tensor<5xf32> (C2)}}
  %r = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @iota_of_a_scalar() {
  // expected-error@+1 {{has a scalar result, expected at least one dimension}}
  %r = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<f32>
  return
}

// -----

func.func @iota_of_booleans() {
  // expected-error@+1 {{counts in i1, expected numbers}}
  %r = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi1>
  return
}

// -----

func.func @iota_beyond() {
  // expected-error@+1 {{attribute 'iota_dimension' is 1, expected a number in [0, 1)}}
  %r = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_to_a_lower_rank(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{has a result of rank 1, lower than its operand's (C3)}}
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_to_unknown_sizes(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a result tensor<?x4xf32>, expected a static or bounded one}}
  %r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @dynamic_broadcast_of_another_size(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
  // expected-error@+1 {{maps dimension 0 of size 4 to one of size 5 (C5)}}
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_names_a_dimension_twice(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{has 0 twice in the known dimensions (C8)}}
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_beyond_the_rank(%a: tensor<4xf32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{has 1 in the known dimensions, expected numbers in [0, 1) (C8)}}
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_of_other_elements(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
  // expected-error@+1 {{turns 4 elements into 10 (C2)}}
  %r = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_that_is_too_large(%a: tensor<4xf32>) {
  %s = stablehlo.constant dense<[4611686018427387904, 4]> : tensor<2xi64>
  // expected-error@+1 {{has a shape with more elements than 63 bits count (C2)}}
  %r = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_of_another_rank(%a: tensor<4x4xf32>, %s: tensor<2xi32>) {
  // expected-error@+1 {{turns rank 2 into rank 1}}
  %r = stablehlo.real_dynamic_slice %a, %s, %s, %s : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_with_too_few_starts(%a: tensor<4x4xf32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{has 1 indices in operand 1 for rank 2}}
  %r = stablehlo.real_dynamic_slice %a, %s, %s, %s : (tensor<4x4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_with_indices_of_two_types(%a: tensor<4x4xf32>, %s: tensor<2xi32>, %t: tensor<2xi64>) {
  // expected-error@+1 {{has index operands of different types}}
  %r = stablehlo.real_dynamic_slice %a, %s, %t, %s : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_pad_between_negative(%a: tensor<4xf32>, %v: tensor<f32>) {
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.constant dense<-1> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error@+1 {{has interior padding -1 (C3)}}
  %r = stablehlo.dynamic_pad %a, %v, %z, %z, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_to_another_size(%a: tensor<4xf32>, %v: tensor<f32>) {
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.constant dense<-1> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error@+1 {{pads dimension 0 to another size than 6 (C4)}}
  %r = stablehlo.dynamic_pad %a, %v, %o, %z, %z : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xf32>
  return
}

// -----

func.func @dynamic_pad_with_a_vector(%a: tensor<4xf32>, %v: tensor<1xf32>) {
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.constant dense<-1> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error@+1 {{has a padding value of rank 1, expected a scalar (I2)}}
  %r = stablehlo.dynamic_pad %a, %v, %z, %z, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_to_another_rank(%a: tensor<4xf32>, %v: tensor<f32>) {
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %n = stablehlo.constant dense<-1> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error@+1 {{turns rank 1 into rank 2}}
  %r = stablehlo.dynamic_pad %a, %v, %z, %z, %z : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_gather_of_too_few_sizes(%a: tensor<4x4xf32>, %i: tensor<2xi32>, %s: tensor<1xi32>) {
  // expected-error@+1 {{has 1 slice sizes for an operand of rank 2 (C10)}}
  %r = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>} : (tensor<4x4xf32>, tensor<2xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_gather_of_too_many_elements(%a: tensor<4x4xf32>, %i: tensor<2xi32>) {
  %s = stablehlo.constant dense<[1, 5]> : tensor<2xi32>
  // expected-error@+1 {{takes 5 elements of dimension 1, which does not have so many (C11)}}
  %r = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>} : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_gather_of_another_shape(%a: tensor<4x4xf32>, %i: tensor<2xi32>) {
  %s = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  // expected-error@+1 {{has a result tensor<4xf32>, expected tensor<3xf32> (C22)}}
  %r = "stablehlo.dynamic_gather"(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>} : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_without_updates(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{has 2 operands, expected inputs, indices and as many updates}}
  %r = "stablehlo.scatter"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @scatter_with_two_results(%a: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<f32>) {
  // expected-error@+1 {{has 2 results for 1 inputs}}
  %r:2 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<4xf32>, tensor<1xi32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @scatter_at_floats(%a: tensor<4xf32>, %i: tensor<1xf32>, %u: tensor<f32>) {
  // expected-error@+1 {{has indices tensor<1xf32>, expected integers (I2)}}
  %r = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<4xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @constant_of_words() {
  // expected-error@+1 {{attribute 'value' is of another kind than the op takes}}
  %r = "stablehlo.constant"() {value = "x"} : () -> tensor<f32>
  return
}

// -----

func.func @concatenate_of_two_ranks(%a: tensor<4xf32>, %b: tensor<4x4xf32>) {
  // expected-error@+1 {{joins ranks 1 and 2 (C2)}}
  %r = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_that_leaves_nothing(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{leaves no size for dimension 0 (C4)}}
  %r = stablehlo.pad %a, %v, low = [-5], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_of_another_rank(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{pads 2 dimensions, but its operand has 1 (C2)}}
  %r = stablehlo.pad %a, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @update_slice_with_too_few_starts(%a: tensor<4x4xf32>, %u: tensor<2x2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{has 1 start indices for an operand of rank 2 (C4)}}
  %r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @update_slice_of_another_rank(%a: tensor<4x4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{updates rank 2 with rank 1 (C3)}}
  %r = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4x4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @fft_of_four_lengths(%a: tensor<2x2x2x2xcomplex<f32>>) {
  // expected-error@+1 {{has 4 lengths, expected 1 to 3 (C3)}}
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 2, 2, 2>} : (tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>
  return
}

// -----

func.func @fft_of_reals(%a: tensor<4xf32>) {
  // expected-error@+1 {{transforms tensor<4xf32>, expected complex numbers (C2)}}
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @rfft_of_complex_numbers(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{transforms tensor<4xcomplex<f32>>, expected f32 or f64 (C2)}}
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @irfft_of_another_size(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{has a last dimension of 4, expected 5 (C5)}}
  %r = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<4xcomplex<f32>>) -> tensor<8xf32>
  return
}

// -----

func.func @element_of_a_tensor(%a: tensor<4xf32>) {
  // expected-error@+1 {{takes an element of tensor<4xf32>, expected a tuple (I1)}}
  %r = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @barrier_with_another_count(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 2 results for 1 operands}}
  %r:2 = "stablehlo.optimization_barrier"(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @normal_integers(%a: tensor<i32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{draws normal numbers of tensor<i32>, expected floats (C2)}}
  %r = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<4xi32>
  return
}

// -----

func.func @random_numbers_of_another_shape(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[5]> : tensor<1xi64>
  // expected-error@+1 {{has a result tensor<4xf32> for the shape [5] (C3)}}
  %r = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @random_parameters_of_rank_1(%a: tensor<1xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{has a parameter tensor<1xf32>, expected a scalar (I1, I2)}}
  %r = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<1xf32>, tensor<1xf32>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @random_state_that_is_too_small(%a: tensor<1xui64>) {
  // expected-error@+1 {{has a state of tensor<1xui64> for PHILOX, expected 2 or 3 words of 64 bits (C2)}}
  %r:2 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<1xui64>) -> (tensor<1xui64>, tensor<4xui32>)
  return
}

// -----

func.func @solve_of_other_batches(%a: tensor<2x4x4xf32>, %b: tensor<3x4x1xf32>) {
  // expected-error@+1 {{has batches of size 2 and 3, expected the same (C3)}}
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  return
}

// -----

func.func @solve_of_two_ranks(%a: tensor<4x4xf32>, %b: tensor<3x4x1xf32>) {
  // expected-error@+1 {{solves rank 3 with rank 2, expected the same rank (C2)}}
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x4xf32>, tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  return
}

// -----

func.func @solve_without_a_transpose(%a: tensor<4x4xf32>, %b: tensor<4x1xf32>) {
  // expected-error@+1 {{attribute 'transpose_a' must say whether to transpose}}
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @solve_of_another_size(%a: tensor<4x4xf32>, %b: tensor<5x1xf32>) {
  // expected-error@+1 {{solves tensor<5x1xf32> with tensor<4x4xf32>, which do not fit together (C3)}}
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x4xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @infeed_layouts_of_two_results(%t: !stablehlo.token) {
  // expected-error@+1 {{attribute 'layout' has 2 layouts for 1 results}}
  %r:2 = "stablehlo.infeed"(%t) {layout = [[0], [0]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layouts_of_words(%t: !stablehlo.token) {
  // expected-error@+1 {{attribute 'layout' must hold integers}}
  %r:2 = "stablehlo.infeed"(%t) {layout = [["a"]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layouts_without_lists(%t: !stablehlo.token) {
  // expected-error@+1 {{attribute 'layout' must hold lists of dimensions}}
  %r:2 = "stablehlo.infeed"(%t) {layout = [0]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @dot_with_three_precisions(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{has 3 precisions, expected at most 2 (C11)}}
  %r = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_of_rank_3(%a: tensor<4x4x4xf32>) {
  // expected-error@+1 {{multiplies ranks 3 and 3, expected 1 or 2}}
  %r = stablehlo.dot %a, %a : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_of_other_sizes(%a: tensor<4x4xf32>, %b: tensor<5xf32>) {
  // expected-error@+1 {{pairs dimension 1 of size 4 with dimension 0 of size 5}}
  %r = stablehlo.dot %a, %b : (tensor<4x4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @conv_of_two_ranks(%a: tensor<4x6x2xf32>, %b: tensor<3x3x2x4xf32>) {
  // expected-error@+1 {{convolves rank 3 with rank 4 (C1)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_features_do_not_divide(%a: tensor<4x6x3xf32>, %b: tensor<3x1x4xf32>) {
  // expected-error@+1 {{has 3 input features, which 2 groups do not divide (C11)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x6x3xf32>, tensor<3x1x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_batches_do_not_divide(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a batch of 4, which 3 groups do not divide (C10)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_kernel_outputs_do_not_divide(%a: tensor<4x6x4xf32>, %b: tensor<3x2x5xf32>) {
  // expected-error@+1 {{has 5 output features, which 2 feature groups do not divide (C16)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x6x4xf32>, tensor<3x2x5xf32>) -> tensor<4x4x5xf32>
  return
}

// -----

func.func @conv_with_both_groups(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{groups both features and batches, expected at most one of them (C23)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_with_no_groups(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a group count of 0, expected at least 1 (C21, C22)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_of_another_result(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a result tensor<4x5x4xf32>, expected the shape [4, 4, 4] (C25, C26)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x5x4xf32>
  return
}

// -----

func.func @conv_with_three_precisions(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has 3 precisions, expected at most 2 (C24)}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_with_stride_zero(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a stride of 0 in dimension 0, expected at least 1}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_with_two_strides(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{attribute 'window_strides' has 2 elements, expected 1}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_with_too_much_padding(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{attribute 'padding' must have the shape 1x2}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_with_dilation_zero(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a window dilation of 0 in dimension 0, expected at least 1}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @conv_that_reverses_two(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{attribute 'window_reversal' has 2 elements, expected 1}}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @dynamic_conv_padding(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>, %p: tensor<2xi32>) {
  // expected-error@+1 {{has a padding tensor<2xi32>, expected 1x2 (C4)}}
  %r = "stablehlo.dynamic_conv"(%a, %b, %p) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>, tensor<2xi32>) -> tensor<4x?x4xf32>
  return
}

// -----

func.func @reduce_over_no_replicas(%a: tensor<4xf32>) {
  // expected-error@+1 {{uses global device ids, but has no replica groups (C3)}}
  %r = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @groups_of_rank_1(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'replica_groups' must have two dimensions, groups and members}}
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_with_two_results(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 2 results for 1 operands}}
  %r:2 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @group_members_beyond_any_count(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 99999999999 in replica groups of 2 members (C4)}}
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 99999999999]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_to_all_without_groups(%a: tensor<4xf32>) {
  // expected-error@+1 {{has no replica groups, expected at least one (C8)}}
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<> : tensor<0x0xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_to_all_with_two_results(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 2 results for 1 operands}}
  %r:2 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @permute_of_triples(%a: tensor<4xf32>) {
  // expected-error@+1 {{needs its source-target pairs as an Nx2 tensor (C1)}}
  %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_to_groups_of_rank_1(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'replica_groups' must have two dimensions, groups and members}}
  %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
