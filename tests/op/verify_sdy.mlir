// RUN: tess opt %s -split-input-file -verify-diagnostics
// sdy's operations and attributes, each with something that Shardy's verifier refuses too.

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_wrong_local_argument(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{operand 0 has the local type tensor<8x8xf32>, but its sharding makes it tensor<4x8xf32>}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_wrong_local_result(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result 0 has the local type tensor<4x8xf32>, but its sharding makes it tensor<8x8xf32>}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_does_not_divide(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{the type of this value is tensor<8x8xf32>, not tensor<7x8xf32>}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<7x8xf32>) -> tensor<7x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_two_meshes(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has shardings on several meshes, but needs one}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@other, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_unknown_axis(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{binds axis "w", which its mesh does not have}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "w"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_axis_behind_a_free_one(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{operand sharding 0 has the manual axis "x" after the free axis "y" on dimension 0; manual axes come first}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"y", "x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_too_few_in_shardings(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{operand has 0 shardings for 1 value}}
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_body_arguments(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has 1 operands, but its body has 2}}
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
  ^bb0(%b: tensor<8x8xf32>, %c: tensor<8x8xf32>):
    sdy.return %b : tensor<8x8xf32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_body_returns(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has 1 results, but its body has 2}}
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
  ^bb0(%b: tensor<8x8xf32>):
    sdy.return %b, %b : tensor<8x8xf32>, tensor<8x8xf32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_axis_is_bound(%a: tensor<8x8xf32>) {
  // expected-note@+1 {{bound here}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    // expected-error@+1 {{uses axis "x", which a manual computation around it binds}}
    %1 = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_axis_is_bound_in_replicated(%a: tensor<8x8xf32>) {
  // expected-note@+1 {{bound here}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    // expected-error@+1 {{uses axis "x", which a manual computation around it binds}}
    %1 = sdy.sharding_constraint %b <@mesh, [{"y"}, {}], replicated={"x"}> : tensor<4x8xf32>
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_axis_is_bound_in_unreduced(%a: tensor<8x8xf32>) {
  // expected-note@+1 {{bound here}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    // expected-error@+1 {{uses axis "x", which a manual computation around it binds}}
    %1 = sdy.sharding_constraint %b <@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<4x8xf32>
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @manual_axis_twice(%a: tensor<8x8xf32>) {
  // expected-note@+1 {{bound here}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    // expected-error@+1 {{uses axis "x", which a manual computation around it binds}}
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%c: tensor<4x8xf32>) {
      sdy.return %c : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @named_argument_types(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has a body whose argument 0 is tensor<4x8xf32>, but operand 0 is tensor<8x8xf32>}}
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @named_result_types(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has a body that returns tensor<8x8xf32> as value 0, but result 0 is tensor<4x8xf32>}}
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @named_returns_two(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has a body that returns 2 values, but 1 results}}
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8x8xf32>) {
    sdy.return %b, %b : tensor<8x8xf32>, tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @named_two_arguments(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has a body with 2 arguments, but 1 operands}}
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8x8xf32>, %c: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @named_sharding_rank(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{in_shardings: the sharding is of rank 1, but the tensor is of rank 2}}
  %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}, {}]>] (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @barrier_in_both_directions(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{allows both directions, so it stops nothing; write NONE, FORWARD or BACKWARD}}
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edge_on_dynamic_shape(%a: tensor<?x8xf32>) {
  // expected-error@+1 {{is on tensor<?x8xf32>, but must be on a static shape}}
  %0 = sdy.data_flow_edge %a sharding=<@mesh, [{}, {}]> : tensor<?x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edge_that_is_not_alone(%a: tensor<8x8xf32>) {
  %1 = stablehlo.add %a, %a : tensor<8x8xf32>
  %2 = stablehlo.optimization_barrier %1 : tensor<8x8xf32>
  // expected-error@+1 {{must be the only use of its operand}}
  %0 = sdy.data_flow_edge %2 sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %3 = stablehlo.add %2, %2 : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edge_on_a_constraint(%a: tensor<8x8xf32>) {
  // expected-note@+1 {{defined here}}
  %2 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  // expected-error@+1 {{is on the result of sdy.sharding_constraint, which is not a data-flow op}}
  %0 = sdy.data_flow_edge %2 sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edge_of_another_rank(%a: tensor<8x8xf32>) {
  %2 = stablehlo.optimization_barrier %a : tensor<8x8xf32>
  // expected-error@+1 {{the sharding is of rank 1, but the tensor is of rank 2}}
  %0 = sdy.data_flow_edge %2 sharding=<@mesh, [{}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @func_edge_on_a_sum(%a: tensor<8x8xf32>) {
  %2 = stablehlo.add %a, %a : tensor<8x8xf32>
  // expected-error@+1 {{must be on a function's argument or a call's result}}
  %0 = sdy.func_data_flow_edge %2 : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @two_shardings_of_one_result(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result has 2 shardings for 1 value}}
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @sharding_of_a_token(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result: the value is not a tensor, so its sharding must have no dimensions and no axes, but it is <@mesh, [{}]>}}
  %0 = stablehlo.create_token {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : !stablehlo.token
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @maximal_with_dimensions(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result: a sharding on one device has no dimensions and no axes, but this one is <mesh<[], device_ids=[0]>, [{}, {}]>}}
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, [{}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @sharding_of_a_tuple(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result: a tuple of 2 members cannot have a sharding; only a tuple of one can}}
  %0 = stablehlo.tuple %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tuple<tensor<8x8xf32>, tensor<8x8xf32>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @rule_is_no_rule(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{sdy.sharding_rule must be #sdy.op_sharding_rule}}
  %0 = stablehlo.add %a, %a {sdy.sharding_rule = 1 : i64} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @sharding_is_no_sharding(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{result must be #sdy.sharding_per_value}}
  %0 = stablehlo.add %a, %a {sdy.sharding = 1 : i64} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_from_nowhere(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected 'operand', found 'value'}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = value-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_a_number(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected an integer, found '->'}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand- -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_of_a_third_operand(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has propagation edges with an operand that the op does not have}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-2 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_of_a_second_result(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has propagation edges with a result that the op does not have}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-1]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_over_an_unknown_axis(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has propagation edges over an axis that the mesh does not have}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"w" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_targets(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected '[', found 'result'}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> result-0}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_an_axis(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected a string, found 'operand'}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_steps(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected '{', found '['}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[[{"x" = operand-0 -> [result-0]}]]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_a_list(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{expected '[', found '{'}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<{step-0 = [{"x" = operand-0 -> [result-0]}]}>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_without_shardings(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has propagation edges but none of the values it names has a sharding}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_before_the_first_operand(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{has propagation edges with an operand that the op does not have}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand--1 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @edges_are_a_number(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{sdy.propagation_edges must be #sdy.propagation_edges}}
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @lists_of_edges_are_numbers(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{sdy.result_propagation_edges must be a list of #sdy.propagation_edges}}
  %0 = stablehlo.add %a, %a {sdy.result_propagation_edges = [1 : i64], sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return
}
