// RUN: tess opt %s -split-input-file -verify-diagnostics
// Operations and attributes of sdy and StableHLO whose own spelling is wrong.  MLIR refuses each of these too.

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected factors, letters from i to z, found 'A'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([A]) {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the sizes of factors are given in order: i, j, k, …}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {j=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '=', found '}'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4, j}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ')', found '{'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([], [i])->([i] {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a factor like z_1, found 'z_'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([z_], [i])->([i]) {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a factor like z_1, found 'z_01'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([z_01], [i])->([i]) {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected the factors of a dimension, found '3'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4} reduction={i, 3}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '->', found '('}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])([i]) {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected the factors of a dimension, found '3'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [3])->([i]) {i=4}>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an integer, found '}'}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=}>} : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '<' of a sharding, found '@mesh'}}
  %0 = sdy.sharding_constraint %a @mesh, [{"x"}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[', found '{'}}
  %0 = sdy.sharding_constraint %a <@mesh, {"x"}> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '}', found ']'}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '{', found '"'}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}], replicated="y"> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an integer, found '}'}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(1)}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{a priority is p and a number, as p1, not p}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}p]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '>', found ':'}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}] : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{no attribute alias is named #nowhere}}
  %0 = sdy.sharding_constraint %a #nowhere : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a sharding before this, found ':'}}
  %0 = sdy.sharding_constraint %a #sdy.mesh<["x"=2]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ']', found '%a'}}
  %0 = sdy.all_gather [{"x"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[', found '{'}}
  %0 = sdy.all_gather {"x"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '->', found ']'}}
  %0 = sdy.all_to_all [{"x"}: 0] %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', found '0'}}
  %0 = sdy.all_to_all [{"x"} 0->1] %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '{', found '"'}}
  %0 = sdy.all_reduce "x" %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected NONE, FORWARD, BACKWARD or BOTH, found 'SIDEWAYS'}}
  %0 = sdy.propagation_barrier %a allowed_direction=SIDEWAYS : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a string, found 'x'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={x} (%b: tensor<2xf32>) {}
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[', found '<'}}
  %0 = sdy.manual_computation(%a) in_shardings=<@mesh, [{"x"}]> out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {}
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an integer, found 'x'}}
  sdy.sharding_group %a group_id=x : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{the target is the source}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{this target is given twice}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0, result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{step 0 is recorded twice}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{a step is not negative}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step--1 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'comparison_direction' has the word WORSE, expected one of EQ NE GE GT LE LT}}
  %0 = stablehlo.compare WORSE, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a format like e5m10, found 'm10'}}
  %0 = stablehlo.reduce_precision %a, format = m10 : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a format like e5m10, found 'e5m10x'}}
  %0 = stablehlo.reduce_precision %a, format = e5m10x : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{an integer cannot have this type}}
  %0 = stablehlo.constant 1 : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', found 'return'}}
  %0 = stablehlo.constant dense<1.0>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ']', found ':'}}
  %0 = stablehlo.slice %a [0:4:1:1] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ':', found ']'}}
  %0 = stablehlo.slice %a [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an op of stablehlo whose two operands commute, found 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%a init: %a) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected an op of stablehlo whose two operands commute, found 'across'}}
  %0 = stablehlo.reduce(%a init: %a) applies across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected 'init', found ','}}
  %0 = stablehlo.reduce(%a, init: %a) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected 'x', found '['}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'precision_config' has the word WORST, expected one of DEFAULT HIGH HIGHEST}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], precision = [WORST] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{stablehlo.while has 1 result, but 2 are named}}
  %0:2 = stablehlo.while(%b = %a) : tensor<4xf32> cond { stablehlo.return %b : tensor<4xf32> } do { stablehlo.return %b : tensor<4xf32> }
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a value, %name, found ')'}}
  %0 = stablehlo.while(%b = ) : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a symbol, @name, found 'f'}}
  %0 = stablehlo.custom_call f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[', found '0'}}
  %0 = stablehlo.pad %a, %a, low = 0, high = [0], interior = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected '[', found '0'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = 0 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ',', found ':'}}
  %0 = stablehlo.select %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected ',', found ':'}}
  %0 = stablehlo.add %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected a predicate of floats: false, oeq, ogt, …, une, uno or true, found 'worse'}}
  %0 = arith.cmpf worse, %a, %a : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected flags in angles, found '<'}}
  %0 = arith.addf %a, %a fastmath<quick : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected the type of a function}}
  %0 = func.call_indirect %a(%a) : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected b and f once each, and spatial dimensions}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, g]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected b and f once each, and spatial dimensions}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, b]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{spatial dimension 0 is missing}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{dimension o is missing}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{spatial dimension 0 is given twice}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 0]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected 'x', found '['}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f] [0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{padding is a pair: [low, high]}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse, each once, found 'stride'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse, each once, found 'steps'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {steps = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x6x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error@+1 {{expected an integer, found 'maybe'}}
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [maybe]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x2xf32>, tensor<3x2x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{expected '[', found '0'}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = 0>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{stablehlo.gather has no field nothing}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<nothing = [0]>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{stablehlo.gather has already a field collapsed_slice_dims}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], collapsed_slice_dims = [0]>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{expected '>', found 'start_index_map'}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0] start_index_map = [0]>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{expected an integer, found '['}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<index_vector_dim = [0]>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<f32>
  return
}
