sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %1 = "sdy.sharding_constraint"(%0) {
sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The example of an error points at the axis, with a note at the other one.
// RUN: cd %S && (! tess opt train.mlir 2>&1) | FileCheck %s --strict-whitespace --match-full-lines --check-prefix=AXIS
//      AXIS:train.mlir:4:42: error[E0213]: axis "x" already shards dimension 0
// AXIS-NEXT:sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// AXIS-NEXT:                                         ^~~
// AXIS-NEXT:train.mlir:4:35: note: first used here
// AXIS-NEXT:sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// AXIS-NEXT:                                  ^~~
