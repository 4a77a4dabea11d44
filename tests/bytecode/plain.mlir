// The same program as MLIR bytecode of each version, which MLIR itself has written (jaxlib 0.11.1).
// RUN: tess opt %S/Inputs/sample.mlir > %t
// RUN: tess opt %S/Inputs/sample.v0.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v1.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v2.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v3.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v4.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v5.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.v6.bc | diff %t -
// RUN: FileCheck %s < %t
// CHECK: module @sample
// CHECK: dense<[true, false, true, true]>
// CHECK: sdy.manual_computation

// Gzipped, through a pipe, and by other commands.
// RUN: gzip -c %S/Inputs/sample.v6.bc | tess opt - | diff %t -
// RUN: cat %S/Inputs/sample.v6.bc | tess opt - | diff %t -
// RUN: tess shard %S/Inputs/sample.v6.bc | FileCheck %s --check-prefix=SHARD
// SHARD: stablehlo.tanh {{.*}}<@mesh, [{}, {"y":(1)2}]>

// Locations are read when they are printed.
// RUN: tess opt -mlir-print-debuginfo %S/Inputs/sample.v6.bc | FileCheck %s --check-prefix=LOC
// LOC: stablehlo.tanh {{.*}} loc(#[[TANH:loc[0-9]+]])
// LOC: #[[TANH]] = loc("sample.mlir":11:10)
