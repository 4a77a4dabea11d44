// One value has many names, and each command takes all of them.
// RUN: tess explain %s "params['layers'][0]['w']" | FileCheck %s --check-prefix=FIRST
// RUN: tess explain %s params/layers/0/w | FileCheck %s --check-prefix=FIRST
// RUN: tess explain %s params.layers[0].w.value | FileCheck %s --check-prefix=FIRST
// RUN: tess explain %s arg:1 | FileCheck %s --check-prefix=FIRST
// FIRST: %arg1 f32[8,4]
// RUN: tess explain %s head | FileCheck %s --check-prefix=HEAD
// HEAD: %arg3 f32[4,4]

// A result has the path that JAX gave it; an argument with the same end comes first.
// RUN: tess explain %s "result['loss']" | FileCheck %s --check-prefix=LOSS
// RUN: tess explain %s loss | FileCheck %s --check-prefix=LOSS
// LOSS: %2 f32[16,4]

// With * all that fit; JSON is an array of them then.
// RUN: tess explain %s 'layers.*.w' | FileCheck %s --check-prefix=ALL
// ALL: %arg1 f32[8,4]
// ALL: %arg2 f32[4,4]
// RUN: tess explain %s 'layers/*/w' --json | FileCheck %s --check-prefix=JSON
// JSON: [
// JSON: "value": "%arg1"
// JSON: "value": "%arg2"
// JSON: ]
// RUN: tess shard %s --arg 'params/layers/*/w=[{}, {"model"}]' | FileCheck %s --check-prefix=ARG
// RUN: tess shard %s --arg "params/layers/*/w=P(None, 'model')" | FileCheck %s --check-prefix=ARG
// RUN: tess shard %s --arg "params/layers/*/w=PartitionSpec(None, ('model',))" | FileCheck %s --check-prefix=ARG
// RUN: (! tess shard %s --arg "params/layers/*/w=P(None, model)" 2>&1) | FileCheck %s --check-prefix=QUOTES
// QUOTES: expected an axis, 'x', found 'model'
// RUN: (! tess shard %s --arg "0=P('data', None, 'model')" 2>&1) | FileCheck %s --check-prefix=RANK
// RANK: 3 dimensions
// RUN: ! tess shard %s --constrain 'params.layers.*=[{}, {"model"}]' 2>&1 | FileCheck %s --check-prefix=NONE
// ARG: %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}
// ARG-SAME: %arg2: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}
// ARG-SAME: %arg3: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}

// What a line of the program's source made, with or without its folders.
// RUN: tess explain %s train.py:26 | FileCheck %s --check-prefix=LINE
// RUN: tess explain %s src/train.py:26 | FileCheck %s --check-prefix=LINE
// LINE: %0 f32[16,4]
// LINE: %1 f32[16,4]
// RUN: ! tess explain %s rain.py:26 2>&1 | FileCheck %s --check-prefix=RAIN
// RAIN: there is no value 'rain.py:26' in @main

// Too little is an error, and what is nearly a name is told.
// RUN: ! tess explain %s w 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error[E0902]: 'w' may be any of 2 values: params['layers'][0]['w'], params['layers'][1]['w']; say more of its path
// RUN: ! tess explain %s params/hed 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: there is no value 'params/hed' in @main; did you mean params['head']?
// RUN: ! tess explain %s hiden 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: there is no value 'hiden' in @main; did you mean %hidden?
// NONE: there is no value 'params.layers.*' in @main
sdy.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%arg0: tensor<16x8xf32> loc("x"), %arg1: tensor<8x4xf32> loc("params['layers'][0]['w']"),
                %arg2: tensor<4x4xf32> loc("params['layers'][1]['w']"), %arg3: tensor<4x4xf32> loc("params['head']"))
    -> (tensor<16x4xf32> {jax.result_info = "result['loss']"}, tensor<16x4xf32> {jax.result_info = "result['head']"}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32> loc("/home/me/src/train.py":26:3)
  %1 = stablehlo.tanh %0 : tensor<16x4xf32> loc(callsite("nn.py":3:4 at "/home/me/src/train.py":26:9))
  %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("/home/me/src/train.py":27:3)
  %hidden = stablehlo.dot_general %2, %arg3, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
  return %2, %hidden : tensor<16x4xf32>, tensor<16x4xf32>
}
