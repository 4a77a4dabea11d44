// RUN: (! tess opt %s -split-input-file 2>&1) | FileCheck %s --strict-whitespace
// Errors about attributes of StableHLO's operations point into them, in pretty and generic form.

func.func @dims(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 2>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [0, 3] : (tensor<8x16xf32>) -> tensor<8x16x2xf32>
  %3 = stablehlo.reverse %a, dims = [1, 5] : tensor<8x16xf32>
  %4 = stablehlo.concatenate %a, %a, dim = 2 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %5 = stablehlo.iota dim = 4 : tensor<8x16xf32>
  %6 = stablehlo.slice %a [0:4, 2:99:3] : (tensor<8x16xf32>) -> tensor<4x5xf32>
  %7 = stablehlo.slice %a [0:4, 2:8:0] : (tensor<8x16xf32>) -> tensor<4x5xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.pad %a, %c, low = [0, 0], high = [0, 0], interior = [0, -1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %a : tensor<8x16xf32>
}
// CHECK: error[E0304]: 'stablehlo.transpose' op has 0 twice in permutation (C2)
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                                          ^{{$}}
// CHECK: error[E0304]: 'stablehlo.transpose' op has 2 in permutation, expected numbers in [0, 2) (C2)
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                                                               ^{{$}}
// CHECK: error[E0304]: 'stablehlo.broadcast_in_dim' op has 3 in broadcast_dimensions, expected numbers in [0, 3) (C4)
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                 ^{{$}}
// CHECK: error[E0304]: 'stablehlo.reverse' op has 5 in dimensions, expected numbers in [0, 2) (C2, C3)
// CHECK-NEXT: {{^}}  %3 =
// CHECK-NEXT: {{^}}                                        ^{{$}}
// CHECK: error[E0302]: 'stablehlo.concatenate' op attribute 'dimension' is 2, expected a number in [0, 2)
// CHECK-NEXT: {{^}}  %4 =
// CHECK-NEXT: {{^}}                                           ^{{$}}
// CHECK: error[E0302]: 'stablehlo.iota' op attribute 'iota_dimension' is 4, expected a number in [0, 2)
// CHECK-NEXT: {{^}}  %5 =
// CHECK-NEXT: {{^}}                            ^{{$}}
// CHECK: error[E0304]: 'stablehlo.slice' op ends at 99 in dimension 1 of size 16 (C3)
// CHECK-NEXT: {{^}}  %6 =
// CHECK-NEXT: {{^}}                                  ^~{{$}}
// CHECK: error[E0304]: 'stablehlo.slice' op has stride 0 in dimension 1, expected at least 1 (C4)
// CHECK-NEXT: {{^}}  %7 =
// CHECK-NEXT: {{^}}                                    ^{{$}}
// CHECK: error[E0304]: 'stablehlo.pad' op has negative interior padding in dimension 1 (C3)
// CHECK-NEXT: {{^}}  %8 =
// CHECK-NEXT: {{^}}                                                                         ^~{{$}}

// -----

func.func @products(%a: tensor<2x8x16xf32>, %b: tensor<2x16x4xf32>, %i: tensor<1x28x28x4xf32>, %k: tensor<3x3x4x8xf32>) -> tensor<2x8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x8x16xf32>, tensor<2x16x4xf32>) -> tensor<2x8x4xf32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2, 0] x [1, 0] : (tensor<2x8x16xf32>, tensor<2x16x4xf32>) -> tensor<2x8x4xf32>
  %2 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>}> : (tensor<2x8x16xf32>, tensor<2x16x4xf32>) -> tensor<2x8x4xf32>
  %3 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 0], pad = [[0, 1], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x28x28x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x14x14x8xf32>
  %4 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x28x28x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x26x26x8xf32>
  return %0 : tensor<2x8x4xf32>
}
// CHECK: error[E0304]: 'stablehlo.dot_general' op pairs dimension 2 of size 16 with dimension 2 of size 4 (C10)
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                                                                                          ^{{$}}
// CHECK: error[E0304]: 'stablehlo.dot_general' op has dimension 0 as a batching and as a contracting one (C3)
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                                                                                       ^{{$}}
// CHECK: error[E0304]: 'stablehlo.dot_general' op has 3 in rhs_contracting_dimensions, expected numbers in [0, 3) (C5 to C8)
// CHECK-NEXT: {{^}}    lhs_contracting_dimensions =
// CHECK-NEXT: {{^}}                                                                    ^{{$}}
// CHECK: error[E0304]: 'stablehlo.convolution' op has a stride of 0 in dimension 1, expected at least 1
// CHECK-NEXT: {{^}}  %3 =
// CHECK-NEXT: {{^}}                                                                                                                   ^{{$}}
// CHECK: error[E0304]: 'stablehlo.convolution' op has 4 input features, which 3 groups do not divide (C11)
// CHECK-NEXT: {{^}}  %4 =
// CHECK-NEXT: {{^}}                                                                                                                                                            ^~~~~~~{{$}}

// -----

#numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [7], index_vector_dim = 1>
func.func @gather(%a: tensor<8x16xf32>, %i: tensor<5x1xi32>, %u: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #numbers, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<5x1xi32>) -> tensor<5x16xf32>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<5x1xi32>) -> tensor<5x16xf32>
  %2 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 99>}> : (tensor<8x16xf32>, tensor<5x1xi32>) -> tensor<5x16xf32>
  return %0 : tensor<5x16xf32>
}
// CHECK: error[E0304]: 'stablehlo.gather' op has 7 in the index map, expected numbers in [0, 2)
// CHECK-NEXT: {{^}}#numbers =
// CHECK-NEXT: {{^}}                                                                                               ^{{$}}
// CHECK: error[E0304]: 'stablehlo.gather' op has its index vector in dimension 3 of indices of rank 2
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                                                                                                                                                                   ^{{$}}
// CHECK: error[E0304]: 'stablehlo.gather' op takes 99 elements of dimension 1, which does not have so many (C11)
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                                                                                                                                                   ^~{{$}}

// -----

func.func @windows(%a: tensor<8x16xf32>, %z: tensor<f32>) -> tensor<8x16xf32> {
  %0 = "stablehlo.reduce_window"(%a, %z) <{
      window_dimensions = array<i64: 2, 0>, padding = dense<0> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<7x17xf32>
  %1 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 2>,
      window_strides = array<i64: -1, 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<7x17xf32>
  %2 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %a : tensor<8x16xf32>
}
// CHECK: error[E0304]: 'stablehlo.reduce_window' op has a window of size 0 in dimension 1, expected at least 1
// CHECK-NEXT: {{^}}      window_dimensions =
// CHECK-NEXT: {{^}}                                        ^{{$}}
// CHECK: error[E0304]: 'stablehlo.reduce_window' op has a stride of -1 in dimension 0, expected at least 1
// CHECK-NEXT: {{^}}      window_strides =
// CHECK-NEXT: {{^}}                                  ^~{{$}}
// CHECK: error[E0304]: 'stablehlo.reduce' op has 1 twice in dimensions (C4, C5)
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                                   ^{{$}}

// -----

func.func @collectives(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    replica_groups = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x32xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 7 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x16xf32>) -> tensor<8x32xf32>
  %2 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<8x16xf32>) -> tensor<24x5xf32>
  %4 = call @nobody(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %a : tensor<8x16xf32>
}
// CHECK: error[E0304]: 'stablehlo.all_gather' op has id 2 twice in its replica groups (C1)
// CHECK-NEXT: {{^}}    replica_groups =
// CHECK-NEXT: {{^}}                                        ^{{$}}
// CHECK: error[E0302]: 'stablehlo.all_gather' op attribute 'all_gather_dim' is 7, expected a number in [0, 2)
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                                                    ^~~~~~~{{$}}
// CHECK: error[E0304]: 'stablehlo.collective_permute' op has 1 twice as a target (C3)
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                                     ^{{$}}
// CHECK: error[E0304]: 'stablehlo.all_to_all' op splits a dimension of size 16 in 3, which does not divide it (C2)
// CHECK-NEXT: {{^}}  %3 =
// CHECK-NEXT: {{^}}                                                                                                         ^~~~~~~{{$}}
// CHECK: error[E0306]: 'func.call' op: there is no function @nobody
// CHECK-NEXT: {{^}}  %4 =
// CHECK-NEXT: {{^}}            ^~~~~~~{{$}}
