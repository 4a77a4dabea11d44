// RUN: tess opt %s -split-input-file -verify-diagnostics
// Gathers, scatters and slices at computed places.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @dynamic_gather_1(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>, %2: tensor<2xi64>) {
  // expected-error@+1 {{has 2 in offset_dims, expected numbers in [0, 2) (C3)}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_gather_2(%0: tensor<4x4xf32>, %1: tensor<2x?xi64>, %2: tensor<2xi64>) {
  // expected-error@+1 {{maps 1 indices, but the index vector has 2 elements}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x?xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_gather_3(%0: tensor<4x4xf32>, %1: tensor<1xi64>, %2: tensor<2xi64>) {
  // expected-error@+1 {{has a result tensor<2x?xf32>, expected tensor<1x?xf32> (C22)}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_gather_4(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>, %2: tensor<0xi64>) {
  // expected-error@+1 {{has 0 slice sizes for an operand of rank 2 (C10)}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<0xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_gather_5(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>, %2: tensor<2xi8>) {
  // expected-error@+1 {{takes tensor<2x?xi1> from tensor<4x4xf32>, expected the same elements (C23)}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2xi8>) -> tensor<2x?xi1>
  return
}

// -----

func.func @dynamic_gather_6(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>, %2: tensor<2xi64>) {
  // expected-error@+1 {{has 1 offset, 0 collapsed and 0 batching dims for 2 slice sizes (C1)}}
  %r = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_slice_1(%0: tensor<1xf6E2M3FN>, %1: tensor<?xi32>) {
  // expected-error@+1 {{operand 1 is tensor<?xi32>, expected a scalar integer tensor}}
  %r = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 1>}> : (tensor<1xf6E2M3FN>, tensor<?xi32>) -> tensor<1xf6E2M3FN>
  return
}

// -----

func.func @dynamic_slice_2(%0: tensor<4x4xf32>, %1: tensor<i64>, %2: tensor<i8>) {
  // expected-error@+1 {{has start indices of different types (C3)}}
  %r = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 2, 2>}> : (tensor<4x4xf32>, tensor<i64>, tensor<i8>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_3(%0: tensor<1xf6E2M3FN>, %1: tensor<i32>) {
  // expected-error@+1 {{takes 2 elements of dimension 0, which does not have so many (C4)}}
  %r = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 2>}> : (tensor<1xf6E2M3FN>, tensor<i32>) -> tensor<1xi32>
  return
}

// -----

func.func @dynamic_slice_4(%0: tensor<1xf6E2M3FN>, %1: tensor<i32>) {
  // expected-error@+1 {{has 1 start indices and 2 sizes for an operand of rank 1 (C2)}}
  %r = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 1, 1>}> : (tensor<1xf6E2M3FN>, tensor<i32>) -> tensor<1xf6E2M3FN>
  return
}

// -----

func.func @dynamic_slice_5(%0: tensor<2xcomplex<f32>>, %1: tensor<*xi8>) {
  // expected-error@+1 {{operand 1 is tensor<*xi8>, expected a ranked tensor}}
  %r = "stablehlo.dynamic_slice"(%0, %1) <{slice_sizes = array<i64: 0>}> : (tensor<2xcomplex<f32>>, tensor<*xi8>) -> tensor<0xcomplex<f32>>
  return
}

// -----

func.func @dynamic_slice_6(%0: tensor<4x4xf32>, %1: tensor<i64>, %2: tensor<i64>) {
  // expected-error@+1 {{takes -1 elements of dimension 0, which does not have so many (C4)}}
  %r = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: -1, 2>}> : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_update_slice_1(%0: tensor<4xf4E2M1FN>, %1: tensor<2xui8>, %2: tensor<i64>) {
  // expected-error@+1 {{updates tensor<4xf4E2M1FN> with tensor<2xui8>, expected the same elements (C2)}}
  %r = "stablehlo.dynamic_update_slice"(%0, %1, %2) : (tensor<4xf4E2M1FN>, tensor<2xui8>, tensor<i64>) -> tensor<4xf4E2M1FN>
  return
}

// -----

func.func @dynamic_update_slice_2(%0: tensor<1x4xf4E2M1FN>, %1: tensor<2xf4E2M1FN>, %2: tensor<i64>) {
  // expected-error@+1 {{updates rank 2 with rank 1 (C3)}}
  %r = "stablehlo.dynamic_update_slice"(%0, %1, %2) : (tensor<1x4xf4E2M1FN>, tensor<2xf4E2M1FN>, tensor<i64>) -> tensor<4xf4E2M1FN>
  return
}

// -----

func.func @dynamic_update_slice_3(%0: tensor<3x2x0xi2>, %1: tensor<2x2x2xi2>, %2: tensor<i8>, %3: tensor<i8>, %4: tensor<i8>) {
  // expected-error@+1 {{has an update of size 2 in dimension 2 of size 0 (C6)}}
  %r = "stablehlo.dynamic_update_slice"(%0, %1, %2, %3, %4) : (tensor<3x2x0xi2>, tensor<2x2x2xi2>, tensor<i8>, tensor<i8>, tensor<i8>) -> tensor<3x2x3xi2>
  return
}

// -----

func.func @dynamic_update_slice_4(%0: tensor<4x4xf32>, %1: tensor<2x2xf32>, %2: tensor<i64>, %3: tensor<i32>) {
  // expected-error@+1 {{has start indices of different types (C3)}}
  %r = "stablehlo.dynamic_update_slice"(%0, %1, %2, %3) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i32>) -> tensor<4x4xcomplex<f64>>
  return
}

// -----

func.func @gather_1(%0: tensor<3x4xf8E5M2FNUZ>, %1: tensor<3x1xi64>) {
  // expected-error@+1 {{takes 4 elements of dimension 0, which does not have so many (C11)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 2>}> : (tensor<3x4xf8E5M2FNUZ>, tensor<3x1xi64>) -> tensor<4x2x3xf8E5M2FNUZ>
  return
}

// -----

func.func @gather_2(%0: tensor<4x4xf8E5M2FNUZ>, %1: tensor<3x1xi64>) {
  // expected-error@+1 {{has offset_dims [1, 1], expected them sorted and unique}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 2>}> : (tensor<4x4xf8E5M2FNUZ>, tensor<3x1xi64>) -> tensor<4x2x3xf8E5M2FNUZ>
  return
}

// -----

func.func @gather_3(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has -1 in collapsed_slice_dims, expected numbers in [0, 2)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [-1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_4(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has its index vector in dimension 100 of indices of rank 2}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 100>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_5(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has 0 twice in the index map}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_6(%0: tensor<?x9x3x4x6xf32>, %1: tensor<2x9x3xi64>) {
  // expected-error@+1 {{batches size 9 with indices of size 3}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 2], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 6>}> : (tensor<?x9x3x4x6xf32>, tensor<2x9x3xi64>) -> tensor<2x9x3x6xf32>
  return
}

// -----

func.func @gather_7(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has 1 slice sizes for an operand of rank 2 (C10)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_8(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has 1 offset, 0 collapsed and 0 batching dims for 2 slice sizes (C1)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_9(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{takes 2 elements of the dropped dimension 0, expected at most 1 (C8)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_10(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>) {
  // expected-error@+1 {{has the index vector among the indices batching dims}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @gather_11(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>) {
  // expected-error@+1 {{has 1 operand batching dims and 0 indices batching dims, expected as many}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @gather_12(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has 2 in offset_dims, expected numbers in [0, 2) (C3)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_13(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has 2 in the index map, expected numbers in [0, 2)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_14(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has collapsed_slice_dims [0, 0], expected them sorted and unique}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_15(%0: tensor<4x4xf32>, %1: tensor<2x1xi64>) {
  // expected-error@+1 {{has its index vector in dimension -1 of indices of rank 2}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = -1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xcomplex<f32>>
  return
}

// -----

func.func @gather_16(%0: tensor<9x3x4x6xf32>, %1: tensor<2x9x3xi64>) {
  // expected-error@+1 {{has 1 twice in indices batching dims}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 1, 2], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 6>}> : (tensor<9x3x4x6xf32>, tensor<2x9x3xi64>) -> tensor<2x9x3x6xf32>
  return
}

// -----

func.func @gather_17(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>) {
  // expected-error@+1 {{has dimension 1 in both the collapsed and the batching dims}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @gather_18(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>) {
  // expected-error@+1 {{has -1 in indices batching dims, expected numbers in [0, 3)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [-1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x1x4xf32>
  return
}

// -----

func.func @gather_19(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>) {
  // expected-error@+1 {{has 100 in operand batching dims, expected numbers in [0, 3)}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [100], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @gather_20(%0: tensor<3x5x4xf32>, %1: tensor<?x2x1xi64>) {
  // expected-error@+1 {{has operand batching dims [0, 0], expected them sorted and unique}}
  %r = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0, 0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<?x2x1xi64>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @scatter_1(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has dimension 0 in both the index map and the batching dims}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x0x4xf32>
  return
}

// -----

func.func @scatter_2(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<0x2x4xf32>) {
  // expected-error@+1 {{has 0 updates in dimension 0 for 3 indices (C4)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<0x2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @scatter_3(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a result tensor<3x4xf32> for an input tensor<3x5x4xf32> and a reducer on tensor<f32> (C24, C25)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_4(%0: tensor<3x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has 1 window, 1 inserted and 1 batching dims for an input of rank 2 (C2)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @scatter_5(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has updates of rank 3, expected 3 scatter and 1 window dims (C4)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 3>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @scatter_6(%0: tensor<3x5x0xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a window of 4 elements in a dimension of 0 (C4)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x0xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @scatter_7(%0: tensor<4x3xf32>, %1: tensor<4x3xi8>, %2: tensor<3x1xi64>, %3: tensor<3x3xf32>, %4: tensor<3x1xi8>) {
  // expected-error@+1 {{has inputs or updates of different shapes, expected the same (C1)}}
  %r:2 = "stablehlo.scatter"(%0, %1, %2, %3, %4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<i8>, %arg2: tensor<f32>, %arg3: tensor<i8>):
    %6 = "stablehlo.subtract"(%arg0, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.subtract"(%arg1, %arg3) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%6, %7) : (tensor<f32>, tensor<i8>) -> ()
  }) : (tensor<4x3xf32>, tensor<4x3xi8>, tensor<3x1xi64>, tensor<3x3xf32>, tensor<3x1xi8>) -> (tensor<4x3xf32>, tensor<4x3xi8>)
  return
}

// -----

func.func @scatter_8(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<2x4xf32>) {
  // expected-error@+1 {{has 2 in update_window_dims, expected numbers in [0, 2) (C8)}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    "stablehlo.return"(%arg1) : (tensor<f32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<2x4xf32>) -> tensor<3x5x4xf32>
  return
}

// -----

func.func @scatter_9(%0: tensor<3x5x4xf32>, %1: tensor<3x2x1xi64>, %2: tensor<3x2x4xf32>) {
  // expected-error@+1 {{has a reducer on tensor<i32>, which an initial value of tensor<f32> does not fit}}
  %r = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    "stablehlo.return"(%arg1) : (tensor<i32>) -> ()
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  return
}
