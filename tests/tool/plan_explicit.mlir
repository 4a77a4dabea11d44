// Operations that move values between axes of the program's mesh, which they name, stay; so do the mesh and
// the shardings that they move between.
// RUN: tess plan %s --devices 8 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK: %arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// CHECK: out_sharding=<@mesh, [{"x"}, {"y"}]>
// CHECK: stablehlo.tanh {{.*}}<@mesh, [{"x"}, {"y"}]>
// CHECK: out_sharding=<@mesh, [{}, {}]>
// RUN: tess verify %t.mlir
// RUN: (! tess plan %s --mesh 'a=8' 2>&1) | FileCheck %s --check-prefix=MESH
// MESH: error[E0907]: what stays of the program (operations over axes) names the axes of its mesh <["x"=4, "y"=2]>: a plan keeps that mesh, of at most 4 axes, is for its 8 devices
// RUN: (! tess plan %s --forbid all_gather 2>&1) | FileCheck %s --check-prefix=FORBID
// FORBID: error[E0906]: no plan is left by what is forbidden (all_gather): all of {{[0-9]+}} that can be partitioned have such a collective

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.all_slice [{}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<16x8xf32>
  %2 = sdy.all_gather [{"x"}, {"y"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
