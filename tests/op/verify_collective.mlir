// RUN: tess opt %s -split-input-file -verify-diagnostics
// Collectives: replica groups, pairs, dimensions and what comes out.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @all_gather_1(%0: tensor<1x8xf32>) {
  // expected-error@+1 {{turns size 8 of dimension 1 into 7 (C6)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<1x8xf32>) -> tensor<8x7xf32>
  return
}

// -----

func.func @all_gather_2(%0: tensor<8xf32>) {
  // expected-error@+1 {{turns rank 1 into rank 2 (C6)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @all_gather_3(%0: tensor<2x8xf16>) {
  // expected-error@+1 {{turns tensor<2x8xf16> into tensor<8x8xf32> (C6)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2x8xf16>) -> tensor<8x8xf32>
  return
}

// -----

func.func @all_gather_4(%0: tensor<2x8xf32>) {
  // expected-error@+1 {{turns size 2 of dimension 0 into 1 over groups of 0 (C6)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @all_gather_5(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{uses global device ids, but has no positive channel id (C5)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = -1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @all_gather_6(%0: tensor<8xi32>) {
  // expected-error@+1 {{attribute 'all_gather_dim' is 1, expected a number in [0, 1)}}
  %r = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>}> : (tensor<8xi32>) -> tensor<12x16xi32>
  return
}

// -----

func.func @all_reduce_1(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{does not have id 0 in its replica groups (C2)}}
  %r = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[-1, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_reduce_2(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{has a reducer on tensor<1xf32> for an initial value of tensor<f32>}}
  %r = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    "stablehlo.return"(%2) : (tensor<1xf32>) -> ()
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_reduce_3(%0: tensor<4xf32>) {
  // expected-error@+1 {{has a result tensor<4x4xf32> for an operand tensor<4xf32> and a reducer on tensor<f32> (C6, C7)}}
  %r = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_1(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{attribute 'concat_dimension' is -1, expected a number in [0, 2)}}
  %r = "stablehlo.all_to_all"(%0) <{concat_dimension = -1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_2(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{splits in 1 over groups of 2, expected as many (C8)}}
  %r = "stablehlo.all_to_all"(%0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 1 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_3(%0: tensor<4x3xf32>) {
  // expected-error@+1 {{splits a dimension of size 3 in 2, which does not divide it (C2)}}
  %r = "stablehlo.all_to_all"(%0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_4(%0: tensor<4x4xf32>) {
  // expected-error@+1 {{has a split count that is not positive (C4)}}
  %r = "stablehlo.all_to_all"(%0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = -1 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_5(%0: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'split_dimension' is 1, expected a number in [0, 1)}}
  %r = "stablehlo.all_to_all"(%0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4xf32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @collective_broadcast_1(%0: tensor<f32>) {
  // expected-error@+1 {{turns tensor<f32> into tensor<4xf32> (C3)}}
  %r = "stablehlo.collective_broadcast"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_2(%0: tensor<4xf32>) {
  // expected-error@+1 {{has id 0 twice in its replica groups (C1)}}
  %r = "stablehlo.collective_broadcast"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_3(%0: tensor<4xf32>) {
  // expected-error@+1 {{has -1 in its replica groups, expected numbers of replicas (C2)}}
  %r = "stablehlo.collective_broadcast"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[-1, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_1(%0: tensor<4xf16>) {
  // expected-error@+1 {{has 1 twice as a source (C2)}}
  %r = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_2(%0: tensor<4xf32>) {
  // expected-error@+1 {{has 1 twice as a target (C3)}}
  %r = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_3(%0: tensor<4xf32>) {
  // expected-error@+1 {{has the negative id -1 in its pairs (C4)}}
  %r = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-1, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_replica_sum(%0: tensor<1xf32>) {
  // expected-error@+1 {{has id 0 twice in its replica groups (C1)}}
  %r = "stablehlo.cross-replica-sum"(%0) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_1(%0: tensor<8x8xf32>) {
  // expected-error@+1 {{has -1 in its replica groups, expected numbers of replicas (C4)}}
  %r = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, -1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduce_scatter_2(%0: tensor<8x8xui8>) {
  // expected-error@+1 {{has a reducer on tensor<f32>, which an initial value of tensor<ui8> does not fit}}
  %r = "stablehlo.reduce_scatter"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<8x8xui8>) -> tensor<8x2xf32>
  return
}

// -----

func.func @reduce_scatter_3(%0: tensor<12xui8>) {
  // expected-error@+1 {{attribute 'scatter_dimension' is -1, expected a number in [0, 1)}}
  %r = "stablehlo.reduce_scatter"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, scatter_dimension = -1 : i64}> ({
  ^bb0(%arg0: tensor<ui8>, %arg1: tensor<ui8>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    "stablehlo.return"(%2) : (tensor<ui8>) -> ()
  }) : (tensor<12xui8>) -> tensor<6xui8>
  return
}

// -----

func.func @reduce_scatter_4(%0: tensor<4x0xf32>) {
  // expected-error@+1 {{turns size 0 of dimension 1 into 2 over groups of 2 (C8)}}
  %r = "stablehlo.reduce_scatter"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4x0xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @replica_id() {
  // expected-error@+1 {{result 0 is tensor<i1>, expected a tensor of integers}}
  %r = "stablehlo.replica_id"() : () -> tensor<i1>
  return
}
