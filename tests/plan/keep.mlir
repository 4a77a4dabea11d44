// What the user annotated stays: the argument's sharding, and the mesh that it names.
//
// RUN: tess plan %s --target h100x8 --keep annotations -o - | FileCheck %s
// CHECK: sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK: %arg0: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
// CHECK: sdy.sharding_constraint {{.*}} <@mesh, [{"y"}, {?}]>
//
// RUN: tess plan %s --target h100x8 --keep inputs -o - | FileCheck %s --check-prefix=INPUTS --implicit-check-not=sharding_constraint
// INPUTS: %arg0: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
//
// What is emitted includes what stays:
//
// RUN: tess plan %s --target h100x8 --keep annotations --emit jax | FileCheck %s --check-prefix=JAX
// JAX: specs = {
// JAX-NEXT: "arg:0": P(None, "x"),
// JAX: in_specs = [
// JAX-NEXT: P(None, "x"),
// RUN: tess plan %s --target h100x8 --keep annotations --emit json | FileCheck %s --check-prefix=EMITTED
// EMITTED: "number": 0,
// EMITTED: "spec": "P(None, \"x\")"
//
// Without it the mesh may be another one, and the program's annotations are one of the plans:
//
// RUN: tess plan %s --target h100x8 --json | FileCheck %s --check-prefix=NONE
// NONE: "annotated_step_seconds": {{[0-9]}}
//
// RUN: (! tess plan %s --target h100x8 --keep annotations --devices 16 2>&1) | FileCheck %s --check-prefix=DEVICES
// DEVICES: error[E0907]: what stays of the program (annotations, or operations over axes) names the axes of its mesh <["x"=4, "y"=2]>: a plan keeps that mesh
//

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%w: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8192x4096xf32>) -> tensor<8192x1024xf32> {
  %0 = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<8192x4096xf32>, tensor<4096x1024xf32>) -> tensor<8192x1024xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {?}]> : tensor<8192x1024xf32>
  %2 = stablehlo.tanh %1 : tensor<8192x1024xf32>
  return %2 : tensor<8192x1024xf32>
}
