// `tess verify`: random inputs, programs partitioned elsewhere, and the operation that differs.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// RUN: tess verify %s --seed 7 --locate | FileCheck %s --check-prefix=AGREE
// AGREE: 2 comparisons agree on 8 devices

// Our own program of one device, read again.
// RUN: tess partition %s > %t.local
// RUN: tess verify %s --partitioned %t.local --locate | FileCheck %s --check-prefix=AGREE

// Partitioned for a machine, as `tess report` costs it.
// RUN: tess verify %s --target v5p | FileCheck %s --check-prefix=MACHINE
// MACHINE: 2 comparisons agree on 8 devices
// MACHINE-NEXT: (partitioned for v5p beside whole, random inputs of seed 1
// RUN: tess verify %s --target v5p --shrink --reshard-policy sdy | FileCheck %s --check-prefix=MACHINE
// RUN: (tess verify %s --target v5p --partitioned %t.local; echo status $?) 2>&1 | FileCheck %s --check-prefix=EITHER
// EITHER: exclude each other
// EITHER: status 2
// RUN: (tess verify %s --target nothing; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error[E{{[0-9]+}}]: {{.*}}nothing
// NOTHING: status 2

// Shardy's passes do the same by their names.
// RUN: tess opt %s -sdy-propagation-pipeline -sdy-insert-explicit-reshards=enable-full-version=true -sdy-reshard-to-collectives -sdy-convert-global-to-local -sdy-drop-sharding-and-mesh > %t.opt
// RUN: tess verify %s --partitioned %t.opt | FileCheck %s --check-prefix=AGREE

// Broken: another function, a sum over the wrong devices, a missing sum.
// RUN: sed 's/stablehlo.tanh/stablehlo.sine/' %t.local > %t.sine
// RUN: (tess verify %s --partitioned %t.sine --locate; echo status $?) 2>&1 | FileCheck %s --check-prefix=SINE
// SINE-DAG: out0 differs from the whole program: 64 of 64 elements, first at [0,0]
// SINE-DAG: verify.mlir:[[#@LINE+22]]:8: error[E0708]: stablehlo.tanh: no value of the devices is this one
// SINE-DAG: note: its sharding is <@mesh, [{"data"}, {"model"}]>
// SINE: status 1

// RUN: sed 's/\[0, 1\], \[2, 3\]/[0, 2], [1, 3]/' %t.local > %t.groups
// RUN: (tess verify %s --partitioned %t.groups --locate; echo status $?) 2>&1 | FileCheck %s --check-prefix=GROUPS
// GROUPS-DAG: verify.mlir:[[#@LINE+17]]:8: error[E0708]: stablehlo.dot_general: no value of the devices is this one
// GROUPS-DAG: out1 differs
// GROUPS: status 1

// Not this program's.
// RUN: sed 's/tensor<16x4xf32>/tensor<16x2xf32>/g' %t.local > %t.shape
// RUN: (tess verify %s --partitioned %t.shape; echo status $?) 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error[E{{[0-9]+}}]:
// SHAPE: status 1

sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %a = stablehlo.tanh %h : tensor<8x8xf32>
  %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = stablehlo.exponential %y : tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
}

// Smaller shapes, the same program.
// RUN: tess verify %S/../../examples/gpt_step.mlir --shrink | FileCheck %s --check-prefix=SHRUNK
// SHRUNK: 16 comparisons agree on 8 devices
// RUN: (tess verify %s --shrink --inputs x.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=SHRINK
// SHRINK: --shrink changes the shapes
// SHRINK: status 2
