// A value that the first axis of the data does not reach: a lookup in a table whose columns are over that
// axis. To constrain it is advised first, with what it gains.
// RUN: tess advise %s --target h100x8 | FileCheck %s
// CHECK: advise.mlir on h100x8, 8 devices, data=4 x model=2
// CHECK-NEXT: as it is: step {{.*}}, peak {{.*}} of 73.6 GB
// CHECK: 1. constrain {{%[a-z]+}} f32[64,512,1024] over "data"
// CHECK-NEXT: x = jax.lax.with_sharding_constraint(x, P("data"))  # model.py:9
// CHECK-NEXT: peak {{.*}} → {{.*}}, step {{.*}} → {{.*}}
// CHECK: changes tried
// RUN: tess advise %s --json | FileCheck %s --check-prefix=JSON
// JSON: "as_it_is": {
// JSON: "kind": "constrain",
// JSON-NEXT: "title": "constrain %rows f32[64,512,1024] over \"data\"",
// JSON-NEXT: "python": "x = jax.lax.with_sharding_constraint(x, P(\"data\"))",
// JSON-NEXT: "source": "model.py:9",
// JSON-NEXT: "frames": [
// JSON: "line": 9,
// JSON-NEXT: "column": 3,
// JSON: "value": "%rows",
// JSON-NEXT: "sharding": "<@mesh, [{\"data\"}, {}, {}]>",
// JSON-NEXT: "spec": "P(\"data\")"
// RUN: tess advise %S/Inputs/nothing_to_gain.mlir | FileCheck %s --check-prefix=GOOD
// GOOD: nothing that was tried gains 3 % of the time or 5 % of the memory

// What cannot be advised is an error.
// RUN: (! tess advise %S/Inputs/no_mesh.mlir 2>&1) | FileCheck %s --check-prefix=MESH
// MESH: error[E0{{[0-9]+}}]: the program has no mesh; `tess plan` finds one, and shardings
// RUN: tess advise %s --budget 1 | FileCheck %s --check-prefix=ONE
// ONE: 1 changes tried
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%embed: tensor<32000x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>} loc("params['embed']"),
                %up: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("params['up']"),
                %down: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['down']"),
                %tokens: tensor<64x512x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>} loc("tokens")) -> tensor<64x512x1024xf32> {
  %rows = "stablehlo.gather"(%embed, %tokens) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1024>}> : (tensor<32000x1024xf32>, tensor<64x512x1xi32>) -> tensor<64x512x1024xf32> loc("model.py":9:3)
  %wide = stablehlo.dot_general %rows, %up, contracting_dims = [2] x [0] : (tensor<64x512x1024xf32>, tensor<1024x4096xf32>) -> tensor<64x512x4096xf32> loc("model.py":10:3)
  %act = stablehlo.tanh %wide : tensor<64x512x4096xf32> loc("model.py":11:3)
  %out = stablehlo.dot_general %act, %down, contracting_dims = [2] x [0] : (tensor<64x512x4096xf32>, tensor<4096x1024xf32>) -> tensor<64x512x1024xf32> loc("model.py":12:3)
  return %out : tensor<64x512x1024xf32>
}
