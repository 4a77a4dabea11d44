// What must be equal is said to be, and not to be within anything, whatever tolerance is given: those
// of floats are for floats.
// RUN: tess verify %s | FileCheck %s
// RUN: tess verify %s --tolerance 1e-3 --json | FileCheck %s --check-prefix=GIVEN
// CHECK: 3 comparisons agree on 2 devices
// CHECK-NEXT: random inputs of seed 1, i32 equal, f32 within 5.0e-05, bf16 within 2.0e-02 times 1 + |expected|)
// GIVEN: "name": "out0", "tolerance": 0.001,
// GIVEN-SAME: "name": "out1", "tolerance": 0,

// RUN: sed 's/-> (.*/{/; s/return .*/return/' %s | tess verify - | FileCheck %s --check-prefix=NONE
// NONE: the program has no results to compare
// NONE-NEXT: random inputs of seed 1)
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<4xi32>, %b: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xbf16>) {
  return %x, %n, %b : tensor<4xf32>, tensor<4xi32>, tensor<4xbf16>
}
