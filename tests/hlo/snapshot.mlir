// A snapshot has the arrays that the program was called with, and what it returned: of the first file that
// is what JAX has computed, the second is as --xla_dump_hlo_unoptimized_snapshots writes it.
// RUN: tess verify %S/Inputs/snapshot.pb --inputs %S/Inputs/snapshot.pb | FileCheck %s
// CHECK: 4 comparisons agree on 1 device
// RUN: tess convert %S/Inputs/snapshot.pb -o %t.npz && tess verify %S/Inputs/snapshot.pb --inputs %t.npz | FileCheck %s
// RUN: tess run %S/Inputs/unoptimized_snapshot.pb --inputs %S/Inputs/unoptimized_snapshot.pb --outputs %t.npz
// RUN: %python -c "import zipfile, struct; print(struct.unpack('<4f', zipfile.ZipFile('%t.npz').read('out0.npy')[-16:]))" | FileCheck %s --check-prefix=OUT
// OUT: (6.0, 9.0, 6.0, 9.0)

// RUN: (tess run %S/Inputs/torch.pb --inputs %S/Inputs/torch.pb; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error[E0853]: {{.*}}torch.pb: byte {{[0-9]+}}: the proto has no arrays: it is not a snapshot
// NONE: status 1
// RUN: (head -c 1300 %S/Inputs/snapshot.pb > %t.cut; tess convert %t.cut -o %t.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error[E0853]: {{.*}}: byte {{[0-9]+}}: a field is longer than the message that it is in
// CUT: status 1
// RUN: (tess convert %S/Inputs/snapshot.pb --to npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: --to npz needs a file
