// RUN: tess opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect
// Texts that end too soon, or say something that does not exist.  MLIR refuses each of these too.

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the string does not end on its line}}
  %0 = stablehlo.custom_call @f(%a) {x = "never closed} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{unknown escape in a string}}
  %0 = stablehlo.custom_call @f(%a) {x = "bad \q"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a name after '%'}}
  % = stablehlo.add %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>' at the end of the type, found 'return'}}
  %0 = stablehlo.add %a, %a : tensor<4xf32
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the size of a dimension does not fit in 64 bits}}
  %0 = stablehlo.add %a, %a : tensor<99999999999999999999xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected 'x' after the size of a dimension, found 'yf32'}}
  %0 = stablehlo.add %a, %a : tensor<4yf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected 'x' after '*', found '<'}}
  %0 = stablehlo.add %a, %a : tensor<*f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>' at the end of the type, found 'return'}}
  %0 = stablehlo.add %a, %a : complex<f32
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>' at the end of the type, found 'return'}}
  %0 = stablehlo.add %a, %a : tuple<f32
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{there is no type !stablehlo.nothing}}
  %0 = stablehlo.add %a, %a : !stablehlo.nothing
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{no type alias is named !alias}}
  %0 = stablehlo.add %a, %a : !alias
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a type, found 'nothing'}}
  %0 = stablehlo.add %a, %a : tensor<4xnothing>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the type of this value is tensor<4xf32>, not !quant.uniform}}
  %0 = stablehlo.add %a, %a : !quant.uniform
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{unknown op stablehlo.nothing}}
  %0 = stablehlo.nothing %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{stablehlo.gather has no pretty form: write "stablehlo.gather"(…)}}
  %0 = stablehlo.gather %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{a name must be for at least one result}}
  %0:0 = stablehlo.add %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{stablehlo.add has 1 result, but 2 are named}}
  %0, %1 = stablehlo.add %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '(', found 'tensor'}}
  %0 = "stablehlo.add"(%a, %a) : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the attribute x is given twice}}
  %0 = "stablehlo.add"(%a, %a) {x = 1, x = 2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected the name of an attribute, found '='}}
  %0 = "stablehlo.add"(%a, %a) {= 2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an attribute, found '}'}}
  %0 = "stablehlo.add"(%a, %a) {x = } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{no attribute alias is named #nowhere}}
  %0 = "stablehlo.add"(%a, %a) {x = #nowhere} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the attribute does not end}}
  %0 = "stablehlo.add"(%a, %a) {x = #my.attr<[} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number does not fit in 64 bits}}
  %0 = "stablehlo.add"(%a, %a) {x = 99999999999999999999} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a name after '@'}}
  %0 = "stablehlo.add"(%a, %a) {x = @} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '}', found 'return'}}
  %0 = "stablehlo.add"(%a, %a) {x = affine_map<(d0) -> d0} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '<' and a matching '>', found 'strided'}}
  %0 = "stablehlo.add"(%a, %a) {x = strided} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>', found '}'}}
  %0 = "stablehlo.add"(%a, %a) {x = distinct[0]<1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected array<type: numbers>, found '}'}}
  %0 = "stablehlo.add"(%a, %a) {x = array<f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an element}}
  %0 = "stablehlo.add"(%a, %a) {x = array<i64: 1, a>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number does not fit in the element type}}
  %0 = "stablehlo.add"(%a, %a) {x = array<i8: 300>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', found 'loc'}}
  %0 = "stablehlo.add"(%a, %a) loc("f":1:2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{no location is named #nowhere}}
  %0 = stablehlo.add %a, %a : tensor<4xf32> loc(#nowhere)
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a location, found 'never'}}
  %0 = stablehlo.add %a, %a : tensor<4xf32> loc(never)
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{a function needs the attribute function_type}}
  "func.func"() ({}) {sym_name = "g"} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{a function needs the attribute function_type}}
  "func.func"() ({}) {sym_name = "g", function_type = 1} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ']': the list is longer than the dimension of the type}}
  %0 = "test.constant"() {value = dense<[1.0, 2.0> : tensor<2xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the list is shorter than the dimension of the type}}
  %0 = "test.constant"() {value = dense<[1.0]> : tensor<2xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ']': the list is longer than the dimension of the type}}
  %0 = "test.constant"() {value = dense<[1.0, 2.0, 3.0]> : tensor<2xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an element}}
  %0 = "test.constant"() {value = dense<[[1.0, 2.0]]> : tensor<2xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{an integer has no decimal point}}
  %0 = "test.constant"() {value = dense<1.0> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[': the list is not as deep as the type}}
  %0 = "test.constant"() {value = dense<[1.0, 2.0]> : tensor<2x1xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number does not fit in the element type}}
  %0 = "test.constant"() {value = dense<300> : tensor<2xi8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number does not fit in the element type}}
  %0 = "test.constant"() {value = dense<-1> : tensor<2xui8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number does not fit in the element type}}
  %0 = "test.constant"() {value = dense<-200> : tensor<i8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an element}}
  %0 = "test.constant"() {value = dense<true> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an element}}
  %0 = "test.constant"() {value = dense<x> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected "0x…", two digits a byte}}
  %0 = "test.constant"() {value = dense<"0x0"> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{this is not a hexadecimal digit}}
  %0 = "test.constant"() {value = dense<"0x0G"> : tensor<1xi8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the bytes are not as many as the type needs}}
  %0 = "test.constant"() {value = dense<"0x0102"> : tensor<1xi8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected "0x…", two digits a byte}}
  %0 = "test.constant"() {value = dense<"0102"> : tensor<2xi8>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected elements: only a type without any has an empty list}}
  %0 = "test.constant"() {value = dense<> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{elements need a static type of numbers}}
  %0 = "test.constant"() {value = dense<1> : tensor<?xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>' after the elements}}
  %0 = "test.constant"() {value = dense<1, 2> : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '(' of a complex number}}
  %0 = "test.constant"() {value = dense<1.0> : tensor<2xcomplex<f32>>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ',' in a complex number}}
  %0 = "test.constant"() {value = dense<(1.0)> : tensor<2xcomplex<f32>>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>' after the elements}}
  %0 = "test.constant"() {value = dense<1.0e> : tensor<f32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a number}}
  %0 = "test.constant"() {value = dense<-true> : tensor<i1>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the number is too large}}
  %0 = "test.constant"() {value = dense<99999999999999999999> : tensor<i64>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{this has more bits than the element type}}
  %0 = "test.constant"() {value = dense<0xFFFFFFFFF> : tensor<f32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', found '}'}}
  %0 = "test.constant"() {value = dense<1 : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '<' and a matching '>', found '1'}}
  %0 = "test.constant"() {value = dense 1 : tensor<2xi32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{elements need a static type of numbers}}
  %0 = "test.constant"() {value = dense<1> : i32} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an element}}
  %0 = "test.constant"() {value = dense<@a> : tensor<i32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{elements need the type of a tensor or a vector}}
  %0 = "test.constant"() {value = sparse<[[0]], 1> : i32} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a word, found '>'}}
  %0 = "test.constant"() {value = dense_resource<> : tensor<2xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>', found ':'}}
  %0 = "test.constant"() {value = dense_resource<a : tensor<2xf32>} : () -> tensor<4xf32>
  return
}
