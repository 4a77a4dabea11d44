// Machines of a user's table: what costs are estimated for.

// RUN: tess report %s --target %S/Inputs/machines.txt:small | FileCheck %s --check-prefix=SMALL
// SMALL: on small, 4 devices
// SMALL: of 4 kB
// RUN: tess report %s --target %S/Inputs/machines.txt | FileCheck %s --check-prefix=SMALL
// RUN: tess report %s --target %S/Inputs/machines.txt:smaller | FileCheck %s --check-prefix=LIKE
// LIKE: of 1 kB {{.*}}does not fit
// RUN: tess diff %s --mesh x=2 --target %S/Inputs/machines.txt:big --json | FileCheck %s --check-prefix=BIG
// BIG: "peak"

// Two nodes of two devices, 2048 bytes of partial sums; links give 0.8 and 0.85 of their bandwidth.
// In two levels: a reduce-scatter of 2048 B within the node, 1024 B at 8e8 B/s and 1 us; both
// halves sent directly between nodes, 1024 B at 8.5e7 B/s and 10 us; the first again backwards;
// and the floor, which is the far latency: 2.28 + 22.047 + 2.28 + 10 us.  A ring through both
// nodes would take 24 us of latency and 18 us for half of its 3072 B.
// RUN: tess report %s --target %S/Inputs/machines.txt:small --json | FileCheck %s --check-prefix=TIME
// TIME: "times": 1
// TIME-NEXT: "wire_bytes": 3072
// TIME-NEXT: "seconds": 3.6607058823
// TIME-NEXT: "algorithm": "hierarchical",
// TIME-NEXT: "crosses_nodes": true

// NAME/N: of a TPU slices of N devices, of GPUs nodes of N.
// RUN: tess report %s --target v5p/2 | FileCheck %s --check-prefix=SLICES
// SLICES: on v5p/2, 4 devices
// SLICES: links within a slice {{.*}}, between slices {{[1-9].*}}
// RUN: tess report %s --target v5p | FileCheck %s --check-prefix=ONE-SLICE
// ONE-SLICE: , between slices 0 ns
// RUN: tess report %s --target h100/2 | FileCheck %s --check-prefix=NODES
// NODES: on h100x8/2, 4 devices
// NODES: links within a node {{.*}}, between nodes {{[1-9].*}}
// RUN: tess report %s --target %S/Inputs/machines.txt:small/4 | FileCheck %s --check-prefix=ONE-NODE
// ONE-NODE: on small/4, 4 devices
// ONE-NODE: , between nodes 0 ns
// RUN: (tess report %s --target v5p/; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-NUMBER
// NO-NUMBER: there is no target 'v5p/'
// NO-NUMBER: status 2

// RUN: (tess report %s --target abacus; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error[E0930]: there is no target 'abacus', nor a file of this name; targets are h100x8, {{.*}}cpu, or FILE:NAME
// NONE: status 2
// RUN: (tess report %s --target %S/Inputs/machines.txt:abacus; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOT-IN
// NOT-IN: machines.txt has no target 'abacus'; it has small, smaller, big
// NOT-IN: status 2

// The beginning of a name is enough where only one has it.
// RUN: tess report %s --target h100 | FileCheck %s --check-prefix=BEGUN
// BEGUN: on h100x8, 4 devices
// RUN: tess report %s --target %S/Inputs/machines.txt:b | FileCheck %s --check-prefix=BEGUN-IN
// BEGUN-IN: on big,
// RUN: (tess report %s --target v5; echo status $?) 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error[E0930]: several targets begin with 'v5': v5e, v5p
// SEVERAL-NEXT: status 2
// RUN: (tess diff %s --mesh x=2 --target h; echo status $?) 2>&1 | FileCheck %s --check-prefix=SEVERAL-H
// SEVERAL-H: several targets begin with 'h': h100x8, h200x8
// RUN: (tess report %s --target %S/Inputs/machines.txt:sm; echo status $?) 2>&1 | FileCheck %s --check-prefix=SEVERAL-IN
// SEVERAL-IN: several targets begin with 'sm': small, smaller
// SEVERAL-IN-NOT: has no target
// RUN: (tess report %s --target ""; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: there is no target '', nor a file

// RUN: echo "a flops_f32=1" > %t; (tess report %s --target %t; echo status $?) 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: :1:1: error[E0930]: target 'a' lacks flops_bf16=
// LACKS: status 1
// RUN: echo "a like=cpu memory=much" > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: :1:12: error[E0930]: 'memory' wants a positive number in SI units, 80e9, found 'much'
// RUN: echo "a like=cpu ram=8" > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: :1:12: error[E0930]: unknown key 'ram'; the keys are like,
// RUN: echo "a like=cpu memory" > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: expected key=value, found 'memory'
// RUN: echo "a memory=8 like=cpu" > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: like= comes first
// RUN: echo "a like=b" > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=LIKE-WHAT
// LIKE-WHAT: there is no target 'b' to be like
// RUN: (echo "a like=cpu"; echo "a like=cpu") > %t; (tess report %s --target %t:a; true) 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: :2:1: error[E0930]: there are two targets 'a'
// RUN: echo "like=cpu" > %t; (tess report %s --target %t; true) 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: expected a name, found 'like=cpu'
// RUN: echo "# nothing" > %t; (tess report %s --target %t; true) 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: has no target: it is empty
// RUN: (tess report %s --target %S; echo status $?) 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: is a directory
// FOLDER: status 1

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
