// A module of flax, equinox or haiku is named as JAX names its operations: what it hands to others is meant.
// RUN: tess explain %s layers_1/attention | FileCheck %s --check-prefix=ONE --implicit-check-not=%%inner --implicit-check-not=%%back
// RUN: tess explain %s 'layers_*.attention' | FileCheck %s --check-prefix=ALL
// RUN: tess report %s --json --constrain 'layers_1/attention=[{"x"}, {}]' | FileCheck %s --check-prefix=WHATIF
// RUN: (tess explain %s layers_2/attention; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: (! tess explain %s layers.1.atention 2>&1) | FileCheck %s --check-prefix=NEAR
// RUN: (! tess explain %s Model/layer_1 2>&1) | FileCheck %s --check-prefix=OUTER
// ONE: %b f32[8,4]
// ALL: %a f32[8,4]
// ALL: %b f32[8,4]
// WHATIF: "peak"
// NONE: error[E0902]: there is no value 'layers_2/attention' in @main; did you mean layers_0/attention or layers_1/attention?
// NEAR: there is no value 'layers.1.atention' in @main; did you mean layers_1/attention or layers_0/attention?
// OUTER: there is no value 'Model/layer_1' in @main; did you mean Model/layers_1 or Model/layers_0?
// NONE: status 1
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %a = stablehlo.negate %x : tensor<8x4xf32> loc("jit(step)/jvp(Model)/layers_0/attention/attention/neg")
  %inner = stablehlo.exponential %a : tensor<8x4xf32> loc("jit(step)/jvp(Model)/layers_1/attention/exp")
  %b = stablehlo.tanh %inner : tensor<8x4xf32> loc("jit(step)/jvp(Model)/layers_1/attention/tanh")
  %c = stablehlo.add %b, %a : tensor<8x4xf32> loc("jit(step)/jvp(Model)/layers_1/add")
  %back = stablehlo.multiply %inner, %c : tensor<8x4xf32> loc("jit(step)/transpose(jvp(Model))/layers_1/attention/mul")
  return %c, %back : tensor<8x4xf32>, tensor<8x4xf32>
}
