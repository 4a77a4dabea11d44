// RUN: tess opt %s -split-input-file -verify-diagnostics
// RUN: sed 's/"w"/"x"/' %s > %t && ! tess opt %t -split-input-file -verify-diagnostics 2> /dev/null
// An error in an attribute can be expected on the line of the operation, as MLIR reports it, or on
// that of the attribute; nowhere else.

sdy.mesh @mesh = <["x"=2]>
func.func @at_operation(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{unknown axis "w"}}
  %0 = "sdy.sharding_constraint"(%a) {
    sharding =
      #sdy.sharding<@mesh, [{"w"}]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expected-note@unknown {{the axes of the mesh are {"x"}}}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @at_attribute(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "sdy.sharding_constraint"(%a) {
    sharding =
      // expected-error @+1 {{unknown axis "w"}}
      #sdy.sharding<@mesh, [{"w"}]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// expected-note@unknown {{the axes of the mesh are {"x"}}}
