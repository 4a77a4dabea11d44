// StableHLO portable artifacts of several versions: operations of older versions become today's, and
// what StableHLO leaves out is left out again.  jaxlib 0.11.1 has written them.
// RUN: tess opt %S/Inputs/sample.mlir > %t
// RUN: tess opt %S/Inputs/sample.1.16.0.bc | diff %t -
// RUN: tess opt %S/Inputs/sample.1.19.0.bc | diff %t -
// RUN: tess opt %S/Inputs/old.mlir > %t.old
// RUN: tess opt %S/Inputs/old.0.9.0.bc | diff %t.old -
// RUN: tess opt %S/Inputs/old.0.13.0.bc | diff %t.old -
// RUN: tess opt %S/Inputs/old.1.0.0.bc | diff %t.old -
// RUN: tess opt %S/Inputs/old.1.5.0.bc | diff %t.old -
// RUN: FileCheck %s < %t.old
// CHECK: "stablehlo.gather"
// CHECK-NOT: vhlo
