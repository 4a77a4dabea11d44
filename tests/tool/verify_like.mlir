// Random inputs like those of a file: elements of 2 or 3 only, so what is looked up is there.
// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:2,3
// RUN: tess verify %s --inputs-like %t.npz | FileCheck %s
// CHECK: 1 comparison agrees on 2 devices, largest error 0.0e+00
// CHECK-NEXT: (partitioned beside whole, random inputs of seed 1 like those of {{.*}}.npz, f32 within {{.*}} times 1 + |expected|)
// Of other inputs the check in the program fails.
// RUN: ! tess verify %s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error[E0701]
// RUN: %python %S/Inputs/npz.py %t.ints.npz in0=i4:2,3
// RUN: ! tess verify %s --inputs-like %t.ints.npz 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: input 0 is to be like tensor<2xi32>, and the program takes tensor<8xf32>
// RUN: ! tess verify %s --inputs-like %t.npz --inputs %t.npz 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --inputs and --inputs-like exclude each other
// Results have JAX's names.
// RUN: tess verify %s --inputs-like %t.npz --json | FileCheck %s --check-prefix=NAME
// NAME: "output": 0, "name": "result['w']", "tolerance": 5e-05, "against": "the whole program"

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {jax.result_info = "result['w']"}) {
  %two = stablehlo.constant dense<2.0> : tensor<8xf32>
  %least = stablehlo.minimum %x, %two : tensor<8xf32>
  stablehlo.custom_call @check.expect_eq(%least, %two) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
  return %x : tensor<8xf32>
}
