// A sharding that names a mesh which the program lacks is an error, wherever it stands.
// RUN: tess opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{arg 0: there is no mesh @lost}}
func.func @argument(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@lost, [{}]>}) {
  return
}

// -----

// expected-error @+1 {{arg 1: there is no mesh @lost}}
func.func private @declared(tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@lost, [{}]>})

// -----

// expected-error @+1 {{arg 0: there is no mesh @lost}}
func.func private @declared_with_names(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@lost, [{}]>})

// -----

// expected-error @+1 {{arg 0: sdy.sharding must be #sdy.sharding}}
func.func private @declared_otherwise(tensor<8xf32> {sdy.sharding = "x"})

// -----

// expected-error @+1 {{result 0: there is no mesh @lost}}
func.func private @declared_result() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@lost, [{}]>})

// -----

func.func @call(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{result: there is no mesh @lost}}
  %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@lost, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func private @f(tensor<8xf32>) -> tensor<8xf32>

// -----

// A function is no mesh.
func.func @function(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{there is no mesh @function}}
  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@function, [{}]>]>} : tensor<8xf32>
  return
}

// -----

func.func @no_result(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{result: there is no mesh @lost}}
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@lost, []>]>} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @inside(%arg0: tensor<i32>) {
  %0 = stablehlo.while(%a = %arg0) : tensor<i32>
    cond {
      // expected-error @+1 {{result: there is no mesh @lost}}
      %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@lost, []>]>} dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      stablehlo.return %a : tensor<i32>
    }
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @constraint(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{there is no mesh @lost}}
  %0 = sdy.sharding_constraint %arg0 <@lost, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @reshard(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{there is no mesh @lost}}
  %0 = sdy.reshard %arg0 <@lost, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @edge(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{there is no mesh @lost}}
  %0 = sdy.data_flow_edge %arg0 sharding=<@lost, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @manual(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{result: there is no mesh @lost}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@lost, [{}]>] manual_axes={} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @named(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{in_shardings: there is no mesh @lost}}
  %0 = sdy.named_computation<"f">(%arg0) in_shardings=[<@lost, [{}]>] out_shardings=[<@mesh, [{}]>] (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @collective(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error @+1 {{there is no mesh @lost}}
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@lost, [{}]> : tensor<8xf32>
  return
}

// -----

func.func @groups(%arg0: tensor<8xf32>) {
  // expected-error @+1 {{no mesh is named @lost}}
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @lost, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<16xf32>
  return
}
