// REQUIRES: mpi
// RUN: %python %S/trouble.py --tess tess --start | FileCheck %s
// A rank that is stopped before MPI has started keeps nobody for ever.
// CHECK: 1 passed, 0 failed
