// RUN: tess opt -split-input-file -verify-diagnostics %s
// Attributes of arguments, results and modules have a dialect in their names; those of sdy that it does
// not have are told of, since a sharding with a wrong name shards nothing.

sdy.mesh @mesh = <["x"=2]>
// expected-error@+1 {{'func.func' op arg 1: the name of attribute "sharding" must begin with a dialect, "sdy.sharding"}}
func.func @arg(%a: tensor<4xf32>, %b: tensor<4xf32> {sharding = #sdy.sharding<@mesh, [{"x"}]>}) { return }

// -----

// expected-error@+1 {{'func.func' op result 0: the name of attribute "info" must begin with a dialect}}
func.func @result(%a: tensor<4xf32>) -> (tensor<4xf32> {info = "r"}) { return %a : tensor<4xf32> }

// -----

// expected-error@+1 {{'func.func' op result 0: the name of attribute "a[6]" must begin with a dialect}}
func.func private @declared() -> (tensor<4xf32> {"a[6]"})

// -----

// expected-error@+1 {{'builtin.module' op: the name of attribute "num_partitions" must begin with a dialect}}
module @named attributes {num_partitions = 8 : i32} {}

// -----

// What is fine: other dialects, and an operation's own names.
module attributes {jax.uses_shape_polymorphism = false} {
  func.func @fine(%a: tensor<4xf32> {jax.arg_info = "a", "odd.a[6]"}) attributes {own} {
    %0 = stablehlo.tanh %a {own} : tensor<4xf32>
    return
  }
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-warning@+1 {{sdy has no attribute "sdy.shardings", so it means nothing; a sharding is "sdy.sharding"}}
func.func @misspelt(%a: tensor<4xf32> {sdy.shardings = #sdy.sharding<@mesh, [{"x"}]>})
    // expected-warning@+1 {{sdy has no attribute "sdy.Sharding"}}
    -> (tensor<4xf32> {sdy.Sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning@+1 {{sdy has no attribute "sdy.shard"}}
  %0 = stablehlo.tanh %a {sdy.shard = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
