// Without a machine's name advice was of the partition that is fastest on the default one, the report of that which
// sends least: the peak of experts.mlir was 10 % lower in one than in the other.
// RUN: %python %S/advise_as_report.py tess %S/mistakes/experts.mlir %S/mistakes/idle_axis.mlir %S/../../examples/gpt_step.mlir | FileCheck %s
// CHECK: 3 programs
