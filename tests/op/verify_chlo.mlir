// RUN: tess opt %s -split-input-file -verify-diagnostics
// CHLO's elementwise and broadcasting operations, and operations that want to know ranks.

func.func @fine(%a: tensor<*xf32>, %b: tensor<?xf32>, %c: tensor<4x1xf32>) -> tensor<4x?xf32> {
  %0 = chlo.erf %a : tensor<*xf32> -> tensor<*xf32>
  %1 = chlo.erf %b : tensor<?xf32> -> tensor<3xf32>
  %2 = chlo.broadcast_add %b, %c : (tensor<?xf32>, tensor<4x1xf32>) -> tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

func.func @elements(%a: tensor<3xi32>) {
  // expected-error@+1 {{operand 0 is tensor<3xi32>, expected a tensor of floats}}
  %0 = chlo.erf %a : tensor<3xi32> -> tensor<3xi32>
  return
}

// -----

func.func @shape(%a: tensor<3xf32>) {
  // expected-error@+1 {{result 0 is tensor<4xf32>, but its operands and attributes make tensor<3xf32>}}
  %0 = chlo.lgamma %a : tensor<3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @mixed(%a: tensor<*xf32>) {
  // expected-error@+1 {{has a result tensor<3xi1> for an operand tensor<*xf32>}}
  %0 = chlo.is_inf %a : tensor<*xf32> -> tensor<3xi1>
  return
}

// -----

func.func @broadcast(%a: tensor<5xf32>, %b: tensor<2x1xf32>) {
  // expected-error@+1 {{result 0 is tensor<5xf32>, but its operands and attributes make tensor<2x5xf32>}}
  %0 = chlo.broadcast_add %a, %b : (tensor<5xf32>, tensor<2x1xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @rank(%a: tensor<*xf32>) {
  // expected-error@+1 {{'stablehlo.abs' op operand 0 is tensor<*xf32>, expected a ranked tensor}}
  %0 = stablehlo.abs %a : tensor<*xf32>
  return
}

// -----

func.func @index(%a: tensor<2xindex>) {
  // expected-error@+1 {{'stablehlo.add' op operand 0 is tensor<2xindex>, expected a tensor}}
  %0 = stablehlo.add %a, %a : tensor<2xindex>
  return
}
