// RUN: tess opt %s -split-input-file -verify-diagnostics
// Calls that do not fit what they call.  MLIR's verifiers refuse each of these too.

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{passes 2 values and takes 1, but the function takes 1 and returns 1}}
  %r = func.call @f(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<5xf32>) {
  // expected-error@+1 {{passes tensor<5xf32> as argument 0, which is tensor<4xf32>}}
  %r = func.call @f(%a) : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{takes tensor<4xf64> as result 0, which is tensor<4xf32>}}
  %r = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{@g}}
  %r = func.call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @main() {
  // expected-error@+1 {{gives @f another type than that function has}}
  %r = func.constant @f : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%f: (tensor<4xf32>) -> tensor<4xf32>, %a: tensor<4xf32>) {
  // expected-error@+1 {{passes 2 values and takes 1, but the function has 1 and 1}}
  %r = "func.call_indirect"(%f, %a, %a) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%f: (tensor<4xf32>) -> tensor<4xf32>, %a: tensor<5xf32>) {
  // expected-error@+1 {{passes tensor<5xf32> as argument 0, which is tensor<4xf32>}}
  %r = "func.call_indirect"(%f, %a) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%f: (tensor<4xf32>) -> tensor<4xf32>, %a: tensor<4xf32>) {
  // expected-error@+1 {{takes tensor<5xf32> as result 0, which is tensor<4xf32>}}
  %r = "func.call_indirect"(%f, %a) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{calls a tensor<4xf32>, expected a function}}
  %r = "func.call_indirect"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{returns 1 value, but its function returns 2}}
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{returns tensor<4xf32> as value 0}}
  return %a : tensor<4xf32>
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{must be a name with a namespace}}
  %r = "stablehlo.composite"(%a) {name = "plain", decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{is "my.op.", expected "namespace.name"}}
  %r = "stablehlo.composite"(%a) {name = "my.op.", decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) {
  // expected-error@+1 {{is "my.o p", expected "namespace.name"}}
  %r = "stablehlo.composite"(%a) {name = "my.o p", decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<5xf32>) {
  // expected-error@+1 {{passes tensor<5xf32> as argument 0, which is tensor<4xf32>}}
  %r = "stablehlo.composite"(%a) {name = "my.op", decomposition = @f} : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @operand_layouts_alone(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has layouts of its operands, but not of its results}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @result_layouts_alone(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has layouts of its results, but not of its operands}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @too_many_layouts(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has 2 layouts for 1 values}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layout_of_another_rank(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{attribute 'operand_layouts' has a layout of 1 dimensions for tensor<4x8xf32>}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layout_names_a_dimension_twice(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has 1 twice in a layout}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[1, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layout_of_a_token(%a: !stablehlo.token) {
  // expected-error@+1 {{attribute 'operand_layouts' has a layout for value 0, which is not a tensor}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (!stablehlo.token) -> tensor<4x8xf32>
  return
}

// -----

func.func @result_layout_beyond(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has 2 in a layout, expected numbers in [0, 2)}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[2, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layout_of_words(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{attribute 'operand_layouts' has a layout 0 that is not a list of integers}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = ["a"], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @alias_of_no_operand(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{aliases operand 1, but has 1 operands}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @alias_inside_of_a_tensor(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has an alias with tuple indices that lead nowhere}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @alias_of_no_result(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{has an alias with tuple indices that lead nowhere}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @alias_of_another_type(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{aliases tensor<4x8xf32> with tensor<8xf32>, expected the same type}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @alias_into_a_tuple(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{aliases tensor<4x8xf32> with tensor<8xf32>, expected the same type}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tuple<tensor<8xf32>>
  return
}

// -----

func.func @typed_backend_config(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{attribute 'backend_config' must be a dictionary}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", api_version = 4 : i32, backend_config = "x"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @untyped_backend_config(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{attribute 'backend_config' must be a string}}
  %r = "stablehlo.custom_call"(%a) {call_target_name = "f", api_version = 2 : i32, backend_config = {a = 1}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
