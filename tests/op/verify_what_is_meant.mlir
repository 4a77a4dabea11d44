// RUN: tess opt -split-input-file -verify-diagnostics %s
// An error says what would be right: the sizes that a rule gives, the meshes that there are, the name of
// an operation.

// expected-error@+2 {{dimension 1 of operand 0 has factor j, of which the rule gives no size; it gives 1: {i=8}}}
func.func @sizes(%a: tensor<8x16xf32>) {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @words(%a: tensor<8x16xf32>) {
  // expected-error@+1 {{reduction names factor k, of which the rule gives no size; it gives 2: {i=8, j=16}}}
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} reduction={k}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @other = <["y"=2]>
// expected-error@+1 {{there is no mesh @mes; the module has @mesh, @other}}
func.func @mesh_name(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mes, [{"x"}]>}) { return }

// -----

// expected-error@+1 {{there is no mesh @mesh; the module has no mesh; write sdy.mesh @mesh = <["x"=8]>}}
func.func @no_mesh(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { return }

// -----

func.func @op_name(%a: tensor<8xf32>) {
  // expected-error@+1 {{unknown op tanh; write stablehlo.tanh}}
  %0 = tanh %a : tensor<8xf32>
  return
}

// -----

// expected-error@+1 {{unknown op func; write func.func}}
func @func_name(%a: tensor<8xf32>) { return }
