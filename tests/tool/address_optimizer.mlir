// Moments have the names of parameters within their own: the end of a path means the parameter, if it is the only one.
// RUN: tess explain %s layers/0/w | FileCheck %s --check-prefix=PARAMETER --implicit-check-not=%%arg1 --implicit-check-not=%%arg2
// RUN: tess explain %s mu/layers/0/w | FileCheck %s --check-prefix=MOMENT
// RUN: tess explain %s 'layers.*.w' | FileCheck %s --check-prefix=ALL
// RUN: (! tess explain %s scale 2>&1) | FileCheck %s --check-prefix=TWO
// PARAMETER: %arg0 f32[8,4]
// MOMENT: %arg1 f32[8,4]
// ALL: %arg0 f32[8,4]
// ALL: %arg1 f32[8,4]
// ALL: %arg2 f32[8,4]
// TWO: error[E0902]: 'scale' may be any of 2 values: state.params.scale, state.average.scale; say more of its path
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x4xf32> loc("state.params['layers'][0]['w']"), %arg1: tensor<8x4xf32> loc("state.opt_state[0].mu['layers'][0]['w']"), %arg2: tensor<8x4xf32> loc("state.opt_state[0].nu['layers'][0]['w']"), %arg3: tensor<4xf32> loc("state.params.scale"), %arg4: tensor<4xf32> loc("state.average.scale")) -> tensor<8x4xf32> {
  return %arg0 : tensor<8x4xf32>
}
