// RUN: tess opt %s -split-input-file -verify-diagnostics
// Reductions, windows, maps and sorts: their bodies and what comes out.
// StableHLO's verifier refuses each of these too; C and I are its specification's constraints.

func.func @map_1(%0: tensor<f16>, %1: tensor<f32>) {
  // expected-error@+1 {{has a computation whose argument 0 is tensor<f32>, expected tensor<f16>}}
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<f16>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @map_2(%0: tensor<f32>, %1: tensor<f32>) {
  // expected-error@+1 {{has a result tensor<f64> for a computation that returns tensor<f32> (C4)}}
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @map_3(%0: tensor<f32>, %1: tensor<4xf32>) {
  // expected-error@+1 {{names 1 dimensions, but its inputs have rank 0 (C3)}}
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @map_4(%0: tensor<4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{maps inputs of different shapes, expected the same shape (C1)}}
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_5(%0: tensor<2xf32>, %1: tensor<2xf32>) {
  // expected-error@+1 {{must name its dimensions in order, 0 to rank - 1 (C3)}}
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @map_6(%0: tensor<f32>, %1: tensor<f32>) {
  %r = "stablehlo.map"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%arg0: tensor<*xf32>, %arg1: tensor<*xf32>):
    // expected-error@+1 {{operand 0 is tensor<*xf32>, expected a ranked tensor}}
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    "stablehlo.return"(%3) : (tensor<*xf32>) -> ()
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_1(%0: tensor<4xf16>, %1: tensor<4x4xi32>, %2: tensor<f16>, %3: tensor<i32>) {
  // expected-error@+1 {{has inputs of different shapes, tensor<4xf16> and tensor<4x4xi32> (C1)}}
  %r:2 = "stablehlo.reduce"(%0, %1, %2, %3) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<f16>, %arg1: tensor<i32>, %arg2: tensor<f16>, %arg3: tensor<i32>):
    %5 = "stablehlo.compare"(%arg0, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %6 = "stablehlo.compare"(%arg0, %arg2) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %7 = "stablehlo.compare"(%arg1, %arg3) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = "stablehlo.and"(%6, %7) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %9 = "stablehlo.or"(%5, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.select"(%9, %arg0, %arg2) : (tensor<i1>, tensor<f16>, tensor<f16>) -> tensor<f16>
    %11 = "stablehlo.select"(%9, %arg1, %arg3) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%10, %11) : (tensor<f16>, tensor<i32>) -> ()
  }) : (tensor<4xf16>, tensor<4x4xi32>, tensor<f16>, tensor<i32>) -> (tensor<4xf16>, tensor<4xi32>)
  return
}

// -----

func.func @reduce_2(%0: tensor<4x4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{has a reducer on tensor<i1>, which an initial value of tensor<f32> does not fit}}
  %r = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i1>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_3(%0: tensor<4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{has 1 in dimensions, expected numbers in [0, 1) (C4, C5)}}
  %r = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_window_1(%0: tensor<2x40x41xui64>, %1: tensor<i8>) {
  // expected-error@+1 {{has a reducer on tensor<i8>, which an input of tensor<2x40x41xui64> does not fit}}
  %r = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 1, 1, 1>}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%3) : (tensor<i8>) -> ()
  }) : (tensor<2x40x41xui64>, tensor<i8>) -> tensor<2x40x41xi8>
  return
}

// -----

func.func @reduce_window_2(%0: tensor<4x4xf32>, %1: tensor<?xf32>) {
  // expected-error@+1 {{has a reducer on tensor<1xf32>, expected scalars}}
  %r = "stablehlo.reduce_window"(%0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    "stablehlo.return"(%3) : (tensor<1xf32>) -> ()
  }) : (tensor<4x4xf32>, tensor<?xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_3(%0: tensor<4x4xf32>, %1: tensor<f32>) {
  // expected-error@+1 {{attribute 'base_dilations' has 1 elements, expected 2}}
  %r = "stablehlo.reduce_window"(%0, %1) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_4(%0: tensor<2x40x41xi8>, %1: tensor<i8>) {
  // expected-error@+1 {{has a window of 2 dimensions for an input of rank 3 (C4)}}
  %r = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%3) : (tensor<i8>) -> ()
  }) : (tensor<2x40x41xi8>, tensor<i8>) -> tensor<2x40x41xi8>
  return
}

// -----

func.func @select_and_scatter_1(%0: tensor<4x4xf32>, %1: tensor<2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has a result tensor<4xf32> for an operand tensor<4x4xf32> (C11)}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_2(%0: tensor<0x4xf32>, %1: tensor<2x2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has 0 windows in dimension 0, but a source of 2 (C1)}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<0x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @select_and_scatter_3(%0: tensor<4x4xf32>, %1: tensor<2x2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has a window of size 0 in dimension 0, expected at least 1}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 0, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @select_and_scatter_4(%0: tensor<bf16>, %1: tensor<2xbf16>, %2: tensor<bf16>) {
  // expected-error@+1 {{attribute 'window_dimensions' has 1 elements, expected 0}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
  ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%4) : (tensor<bf16>) -> ()
  }) : (tensor<bf16>, tensor<2xbf16>, tensor<bf16>) -> tensor<bf16>
  return
}

// -----

func.func @select_and_scatter_5(%0: tensor<4x4xf32>, %1: tensor<2x2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has a select on tensor<bf16>, expected tensor<f32>}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%4) : (tensor<bf16>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @select_and_scatter_6(%0: tensor<4x4xf32>, %1: tensor<2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{has a source of rank 1 for an operand of rank 2 (C1)}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @select_and_scatter_7(%0: tensor<4x4xi32>, %1: tensor<2x2xf32>, %2: tensor<f32>) {
  // expected-error@+1 {{scatters tensor<2x2xf32> into tensor<4x4xi32>, expected the same elements (C2)}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<-1> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<4x4xi32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xi32>
  return
}

// -----

func.func @select_and_scatter_8(%0: tensor<4x4xf32>, %1: tensor<2x2xf32>, %2: tensor<1xf32>) {
  // expected-error@+1 {{has an initial value tensor<1xf32>, expected a scalar (I3)}}
  %r = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %5 = "stablehlo.compare"(%arg2, %arg3) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %4 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<1xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @sort_1(%0: tensor<1x2049xi64>) {
  // expected-error@+1 {{has a comparator whose argument 0 is tensor<i8>, expected tensor<i64>}}
  %r = "stablehlo.sort"(%0) <{is_stable = true}> ({
  ^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>):
    %2 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i8>, tensor<i8>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }) : (tensor<1x2049xi64>) -> tensor<1x2049xi8>
  return
}

// -----

func.func @sort_2(%0: tensor<1xi32>) {
  // expected-error@+1 {{sorts along dimension 1, but its inputs have rank 1 (C4)}}
  %r = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %2 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }) : (tensor<1xi32>) -> tensor<0x32xi32>
  return
}

// -----

func.func @sort_3(%0: tensor<4x4xf32>, %1: tensor<2x4xf32>) {
  // expected-error@+1 {{sorts inputs of different shapes, expected the same shape (C2)}}
  %r:2 = "stablehlo.sort"(%0, %1) <{dimension = 1 : i64}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
    %3 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<4x4xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return
}
