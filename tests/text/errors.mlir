// RUN: tess opt -split-input-file -verify-diagnostics %s
// What is wrong in a text is told where it is; several errors of one program are told at once.

func.func @type(%a: tensor<2xf32>) {
  // expected-error@+1 {{the type of this value is tensor<2xf32>, not tensor<3xf32>}}
  %0 = stablehlo.tanh %a : tensor<3xf32>
  return
}

// -----

func.func @unknown(%a: tensor<2xf32>) {
  // expected-error@+1 {{no value is named %b here}}
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  return
}

// -----

func.func @twice(%a: tensor<2xf32>) {
  %0 = stablehlo.tanh %a : tensor<2xf32>
  // expected-error@+1 {{%0 is defined already}}
  %0 = stablehlo.tanh %a : tensor<2xf32>
  return
}

// -----

func.func @elements() {
  // expected-error@+1 {{the list is}}
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>
  return
}

// -----

func.func @bits() {
  // expected-error@+1 {{this has more bits than the element type}}
  %0 = stablehlo.constant dense<0x41> : tensor<f4E2M1FN>
  return
}

// -----

// expected-error@+1 {{expected ':'}}
module attributes {a = array<i24 1>} {}

// -----

func.func @check(%a: tensor<2xi32>) {
  // expected-error@+1 {{has 1 result, expected 0}}
  %0 = "check.expect_eq"(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> i32
  return
}

// -----

// expected-error@+1 {{a quantized type expresses floats}}
func.func private @quantized(!quant.uniform<i8:i22:3, {2.5, 5.0}>)

// -----

// expected-error@+1 {{this has more bits than tf32}}
module attributes {a = 0x80000 : tf32} {}

// -----

// expected-error@+1 {{this has more bits than f32}}
module attributes {a = 0x100000000 : f32} {}

// -----

// expected-error@+1 {{there is no op stablehlo.addd}}
func.func @op(%a: tensor<f32>) { %0 = "stablehlo.addd"(%a) : (tensor<f32>) -> tensor<f32> return }

// -----

func.func @isolated(%a: tensor<2xf32>) {
  // expected-note@+1 {{sees no values from outside}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    // expected-error@+1 {{%a is defined outside of this region}}
    %0 = stablehlo.tanh %a : tensor<2xf32>
    sdy.return
  } : () -> ()
  return
}

// -----

func.func @several(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{C}}
  %0 = stablehlo.transpose %a, dims = [1] : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error@+1 {{C}}
  %1 = stablehlo.slice %b [0:4] : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @zero_byte(%a: tensor<2xf32>) {
  // expected-error@+1 {{the name of an op has a zero byte}}
  %0 = "stablehlo.tanh\00x"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{an array is neither a memref's layout nor a memory space}}
func.func private @layout(memref<5x?xi4, [[]]>)

// -----

func.func @negative_zero(%a: tensor<2xf32>) {
  // expected-error@+1 {{'result_accuracy' has a negative tolerance}}
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = -0.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
