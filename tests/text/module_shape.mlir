// A module has one region of one block, and nothing else: jaxlib refuses each of these, too.
// RUN: tess opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{'builtin.module' op has 0 regions, expected 1}}
"builtin.module"() : () -> ()

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'builtin.module' op has 1 operand, expected 0}}
  "builtin.module"(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'builtin.module' op has 1 result, expected 0}}
%a = "builtin.module"() ({^bb0: }) : () -> tensor<f32>

// -----

// expected-error @+1 {{'builtin.module' op has a block with arguments, expected one block without arguments}}
"builtin.module"() ({^bb0(%a: tensor<f32>): }) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op has 2 regions, expected 1}}
"builtin.module"() ({}, {}) : () -> ()

// -----

module {
  module @inner attributes {a = 1 : i32} {
  }
}
