// RUN: tess opt %s -split-input-file -verify-diagnostics
// Groups are elements of i64, and a channel has a number and a type: StableHLO's reader takes
// nothing else.

func.func @numbers_of_32_bits(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{replica_groups}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi32>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @list(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{replica_groups}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = array<i64: 0, 1>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @another_struct(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{replica_groups}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @pairs(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{source_target_pairs}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi32>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_type(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{the field type is missing}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_handle(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{the field handle is missing}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
