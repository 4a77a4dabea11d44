// A training step of two products.  The program that is written out costs what the plan says, to the
// last digit, and computes what the given one computes.
//
// RUN: tess plan %s --target h100x8 --devices 8 -o %t.mlir --json > %t.json
// RUN: tess report %t.mlir --target h100x8 --json > %t.report.json
// RUN: %python %S/same_cost.py %t.json %t.report.json
// RUN: tess verify %t.mlir
// RUN: tess plan %s --target h100x8 --devices 8 | FileCheck %s
// CHECK: step.mlir on 8 x h100x8: 3 mesh shapes, {{[0-9]+}} plans evaluated
// CHECK: mesh {{data=.*}}
// CHECK: step {{.*}}, peak {{.*}} of 73.6 GB, communication
// CHECK-NEXT: no plan is under {{.*}}s
// CHECK: decision why next best
//
// All data parallel is the same plan on each mesh, which is no other plan:
//
// CHECK: the shape of the mesh {{.*}} within nodes data=2 x model=4 +{{[1-9]}}
//
// One tactic, on one mesh:
//
// RUN: tess plan %s --target h100x8 --devices 8 --mesh 'a=*,b=4' --tactic 'fsdp over a; megatron over b' -o - \
// RUN:   | FileCheck %s --check-prefix=TACTIC
// TACTIC: sdy.mesh @mesh = <["a"=2, "b"=4]>
// TACTIC: %arg0: tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}
// TACTIC-SAME: %arg1: tensor<2048x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}
// TACTIC-SAME: %arg2: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}
//
// As code:
//
// RUN: tess plan %s --target h100x8 --devices 8 --mesh 'a=*,b=4' --tactic 'fsdp over a; megatron over b' --emit jax \
// RUN:   | FileCheck %s --check-prefix=JAX
// JAX: mesh = jax.make_mesh((2, 4), ("a", "b"),
// JAX: "arg:0": P("a", "b"),
// JAX-NEXT: "arg:1": P("b", "a"),
// JAX-NEXT: "arg:2": P("a"),
// JAX: out_specs = [
// JAX-NEXT: None,
// JAX-NEXT: P("a", "b"),
// JAX-NEXT: P("b", "a"),
// RUN: tess plan %s --target h100x8 --devices 8 --mesh 'a=*,b=4' --tactic 'fsdp over a; megatron over b' --emit dtensor \
// RUN:   | FileCheck %s --check-prefix=DTENSOR
// DTENSOR: mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("a", "b"))
// DTENSOR: "arg:0": [Shard(0), Shard(1)],
// DTENSOR-NEXT: "arg:1": [Shard(1), Shard(0)],
// DTENSOR-NEXT: "arg:2": [Shard(0), Replicate()],
// RUN: (tess plan %s --devices 8 --emit fortran; echo status $?) 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: --emit fortran: expected jax, dtensor, specs or json
// FORM: status 2
//
// What is forbidden does not occur:
//
// RUN: tess plan %s --target h100x8 --devices 8 --forbid 'all_gather, all_to_all over near' -o - \
// RUN:   | tess partition - | FileCheck %s --check-prefix=FORBID --implicit-check-not=all_gather --implicit-check-not=all_to_all
// FORBID: func.func
//
// RUN: (! tess plan %s --target h100x8 --devices 8 --limit 1MB) | FileCheck %s --check-prefix=MISFIT
// RUN: (! tess plan %s --target h100x8 --devices 8 --limit 1000kB) | FileCheck %s --check-prefix=MISFIT
// MISFIT: no plan fits: this one takes least,
//
// RUN: (! tess plan %s 2>&1) | FileCheck %s --check-prefix=DEVICES
// DEVICES: error[E0907]: the program has no mesh, so the number of devices must be given
// RUN: (! tess plan %s --devices 8 --mesh 'a=3,b=*' 2>&1) | FileCheck %s --check-prefix=MESH
// MESH: error[E0907]: no mesh 'a=3,b=*' has 8 devices: the product of its sizes must be that number
// RUN: tess plan %s --devices 8 --mesh 'a=1,b=*' | FileCheck %s --check-prefix=ONE
// RUN: tess plan %s --devices 8 --mesh 'a=1,c=1,b=*' | FileCheck %s --check-prefix=ONES
// ONE: mesh a=1 x b=8
// ONES: mesh a=1 x c=1 x b=8
// RUN: tess plan %s --devices 8 --mesh 'a=*,b=8' | FileCheck %s --check-prefix=ONE
// RUN: (! tess plan %s --devices 9223372036854775807 2>&1) | FileCheck %s --check-prefix=MANY
// MANY: error[E0907]: a plan for 9223372036854775807 devices; a program is partitioned for at most 16777216
// RUN: (! tess plan %s --devices 8 --mesh 'a=x' 2>&1) | FileCheck %s --check-prefix=PATTERN
// PATTERN: error[E0907]: 'a=x' is not a pattern of a mesh
// RUN: (! tess plan %s --devices 8 --tactic 'wonder over data' 2>&1) | FileCheck %s --check-prefix=WORD
// WORD: error[E0908]: 'wonder over data' is not a tactic
// RUN: (! tess plan %s --devices 8 --tactic 'fsdp over data; data over data' 2>&1) | FileCheck %s --check-prefix=TWICE
// TWICE: error[E0908]: the tactic has two words for the axis data: each axis has one
// RUN: (! tess plan %s --devices 8 --forbid 'gossip' 2>&1) | FileCheck %s --check-prefix=GOSSIP
// GOSSIP: error[E0908]: 'gossip' forbids nothing

func.func @main(%w1: tensor<512x2048xf32>, %w2: tensor<2048x512xf32>, %x: tensor<256x512xf32>)
    -> (tensor<f32>, tensor<512x2048xf32>, tensor<2048x512xf32>) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x2048xf32>) -> tensor<256x2048xf32>
  %y = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<256x2048xf32>, tensor<2048x512xf32>) -> tensor<256x512xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<256x512xf32>, tensor<f32>) -> tensor<f32>
  %g2 = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<256x2048xf32>, tensor<256x512xf32>) -> tensor<2048x512xf32>
  %h1 = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<2048x512xf32>) -> tensor<256x2048xf32>
  %g1 = stablehlo.dot_general %x, %h1, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x2048xf32>) -> tensor<512x2048xf32>
  %u1 = stablehlo.subtract %w1, %g1 : tensor<512x2048xf32>
  %u2 = stablehlo.subtract %w2, %g2 : tensor<2048x512xf32>
  return %l, %u1, %u2 : tensor<f32>, tensor<512x2048xf32>, tensor<2048x512xf32>
}
