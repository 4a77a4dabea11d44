// REQUIRES: hlo
// Where instructions of HLO text come from: metadata, with the module's tables of frames.
// RUN: tess report %S/Inputs/hlo_frames.txt | FileCheck %s
// CHECK: argument {{.*}} [p['w']]
// CHECK: all_reduce {{.*}} train.py:6 (jit(f)/reduce_sum)
// RUN: tess explain %S/Inputs/hlo_frames.txt --collective 0 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: calls, the innermost first: nn.py:4 < train.py:6 < train.py:9
