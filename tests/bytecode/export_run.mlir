// What jax.export wrote (with jaxlib 0.11.1; programs of tests/conformance/bytecode/exports.py) runs with
// the results of exported.call, which are in the npz files: trees, symbolic shapes, shardings, derivatives.
// RUN: tess verify %S/Inputs/tree.jax_export --platform cpu --inputs %S/Inputs/tree.npz | FileCheck %s --check-prefix=TREE
// TREE: 8 comparisons agree on 1 device
// RUN: tess verify %S/Inputs/symbolic_two.jax_export --inputs %S/Inputs/symbolic_two.npz | FileCheck %s --check-prefix=SYMBOLIC
// SYMBOLIC: 2 comparisons agree on 1 device
// RUN: tess verify %S/Inputs/sharded_matmul.jax_export --inputs %S/Inputs/sharded_matmul.npz | FileCheck %s --check-prefix=SHARDED
// SHARDED: 2 comparisons agree on 8 devices
// RUN: tess verify %S/Inputs/vjp_two.jax_export --vjp 1 --inputs %S/Inputs/vjp_two.npz | FileCheck %s --check-prefix=VJP
// VJP: 2 comparisons agree on 1 device
// RUN: (tess run %S/Inputs/vjp_two.jax_export --vjp 3; echo status $?) 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error[E0004]: the program was exported without a derivative of order 3
// RUN: (tess run %s --vjp 1; echo status $?) 2>&1 | FileCheck %s --check-prefix=PLAIN_VJP
// PLAIN_VJP: error[E0004]: '{{.*}}export_run.mlir' has no derivative to choose: jax.export did not write it
// PLAIN_VJP: status 1
// RUN: (tess run %s --platform cpu; echo status $?) 2>&1 | FileCheck %s --check-prefix=PLAIN_PLATFORM
// PLAIN_PLATFORM: error[E0004]: '{{.*}}export_run.mlir' has no platform to choose: jax.export did not write it
// PLAIN_PLATFORM: status 1

// What the file says besides the program.
// RUN: tess convert --to export %S/Inputs/tree.jax_export | tr -d ' \n' | FileCheck %s --check-prefix=SAID
// SAID: "platforms":["cpu"],"devices":1,"derivatives":0,"effects":[],"arguments":{"tree":{"tuple":[{"tuple":[{"keys":["b","w"],"dict":[0,1]},{"tuple":[2,3]}]},{"keys":[],"dict":[]}]},"leaves":[{"shape":[3],"dtype":"float32"},{"shape":[4,3],"dtype":"float32"}
// SAID-SAME: "results":{"tree":{"keys":["rest","sum"],"dict":[{"list":[0,null,{"tuple":[1,2]}]},3]}
// RUN: tess convert --to export %S/Inputs/sharded_matmul.jax_export | tr -d ' \n' | FileCheck %s --check-prefix=SHARDING
// SHARDING: "shape":[8,16],"dtype":"float32","sharding":{"mesh":[{"axis":"x","size":2},{"axis":"y","size":4}],"dims":{{\[\[}}"x"],["y"]],"memory":"device"}
// RUN: tess convert --to export %S/Inputs/symbolic_two.jax_export | tr -d ' \n' | FileCheck %s --check-prefix=DIMS
// DIMS: "leaves":[{"shape":["b","n"],"dtype":"float32"},{"shape":["n",2],"dtype":"float32"}]
// DIMS-SAME: "results":{{.*}}"shape":["2*b",2]
// RUN: (tess convert --to export %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: export_run.mlir: --to export needs a file that jax.export has written
// NONE: status 1
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
