// RUN: tess opt -split-input-file -verify-diagnostics %s
// Bounds of dynamic dimensions: one for each dimension, none where the size is known, kept by results.

// expected-error@+1 {{has 1 bound, expected 2}}
func.func @one_for_each(%a: tensor<?x?xf32, #stablehlo.bounds<3>>) {
  return
}

// -----

// expected-error@+1 {{has a size and a bound}}
func.func @size_and_bound(%a: tensor<3xf32, #stablehlo.bounds<3>>) {
  return
}

// -----

func.func @larger(%a: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32> {
  // expected-error@+1 {{its operands and attributes make}}
  %0 = "stablehlo.tanh"(%a) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @within(%a: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<3xf32> {
  %0 = "stablehlo.tanh"(%a) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @slice(%a: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32> {
  // expected-error@+1 {{limit 5 in dimension 0 of at most 4}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 1>, limit_indices = array<i64: 5>, strides = array<i64: 1>}> : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @reshape(%a: tensor<?x?xf32, #stablehlo.bounds<5, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<5, 5>> {
  // expected-error@+1 {{2 bounded dimensions, expected at most 1}}
  %0 = stablehlo.reshape %a : (tensor<?x?xf32, #stablehlo.bounds<5, 5>>) -> tensor<?x?xf32, #stablehlo.bounds<5, 5>>
  return %0 : tensor<?x?xf32, #stablehlo.bounds<5, 5>>
}
