// RUN: tess opt -split-input-file -verify-diagnostics %s
// Enums have the words of their kind; groups by named axes have a mesh.

func.func @precision(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error@+1 {{has the word SOME, expected one of DEFAULT HIGH HIGHEST}}
  %0 = stablehlo.dot %a, %a, precision = [HIGH, SOME] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @direction(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{has the word L, expected one of EQ NE GE GT LE LT}}
  %0 = stablehlo.compare L, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @transform(%a: tensor<4xf16>) -> tensor<3xcomplex<f32>> {
  // expected-error@+1 {{expected f32 or f64}}
  %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4xf16>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

func.func @groups(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{no mesh is named @none}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @none, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
