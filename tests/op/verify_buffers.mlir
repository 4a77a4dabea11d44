// RUN: tess opt %s -split-input-file -verify-diagnostics
// Custom calls on buffers: made, pinned, changed in place and given back.

func.func @fine(%a: tensor<4xf32>, %b: memref<4xf32>, %t: tuple<memref<2xf32>, tuple<memref<3xf32>>>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @CreateBuffer() : () -> memref<4xf32>
  %1 = stablehlo.custom_call @Pin(%a) : (tensor<4xf32>) -> memref<4xf32>
  %2 = stablehlo.custom_call @Unpin(%1) : (memref<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @in_place(%b) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> memref<4xf32>
  %4:2 = stablehlo.custom_call @both(%b, %0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>]} : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  stablehlo.custom_call @reads(%b) {has_side_effect = true} : (memref<4xf32>) -> ()
  return %2 : tensor<4xf32>
}

// -----

func.func @made_of_something(%a: tensor<4xf32>) {
  // expected-error@+1 {{must take nothing and give one buffer}}
  %0 = stablehlo.custom_call @CreateBuffer(%a) : (tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @made_a_tensor() {
  // expected-error@+1 {{must take nothing and give one buffer}}
  %0 = stablehlo.custom_call @CreateBuffer() : () -> tensor<4xf32>
  return
}

// -----

func.func @pin_two(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 2 operands and 1 results, expected one of each}}
  %0 = stablehlo.custom_call @Pin(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @pin_a_buffer(%a: memref<4xf32>) {
  // expected-error@+1 {{must lead from a tensor to a buffer}}
  %0 = stablehlo.custom_call @Pin(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @pin_to_a_tensor(%a: tensor<4xf32>) {
  // expected-error@+1 {{must lead from a tensor to a buffer}}
  %0 = stablehlo.custom_call @Pin(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pin_a_token(%a: !stablehlo.token) {
  // expected-error@+1 {{must lead from a tensor to a buffer}}
  %0 = stablehlo.custom_call @Pin(%a) : (!stablehlo.token) -> memref<4xf32>
  return
}

// -----

func.func @pin_other_size(%a: tensor<4xf32>) {
  // expected-error@+1 {{changes the shape or the elements}}
  %0 = stablehlo.custom_call @Pin(%a) : (tensor<4xf32>) -> memref<5xf32>
  return
}

// -----

func.func @unpin_other_elements(%a: memref<4xf32>) {
  // expected-error@+1 {{changes the shape or the elements}}
  %0 = stablehlo.custom_call @Unpin(%a) : (memref<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @unpin_other_rank(%a: memref<4xf32>) {
  // expected-error@+1 {{changes the shape or the elements}}
  %0 = stablehlo.custom_call @Unpin(%a) : (memref<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @unpin_a_tensor(%a: tensor<4xf32>) {
  // expected-error@+1 {{must lead from a buffer to a tensor}}
  %0 = stablehlo.custom_call @Unpin(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @not_aliased(%a: memref<4xf32>) {
  // expected-error@+1 {{gives a buffer that must alias an operand, but aliases none}}
  %0 = stablehlo.custom_call @fill(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @operand_twice(%a: memref<4xf32>) {
  // expected-error@+1 {{aliases a buffer of operand 0 twice}}
  %0:2 = stablehlo.custom_call @fill(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @result_twice(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{aliases a buffer of its results twice}}
  %0 = stablehlo.custom_call @fill(%a, %b) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @layout_of_a_part(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{has 0 twice in a layout}}
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[0, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tuple<tensor<4x8xf32>, tensor<4x8xf32>>
  return
}
