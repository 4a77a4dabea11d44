// The commands that compute: on the examples, which have JAX's own results beside them.
// REQUIRES: hlo
// RUN: tess verify %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz | FileCheck %s --check-prefix=VERIFY
// VERIFY: 32 comparisons agree on 8 devices

// RUN: tess verify %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --json | FileCheck %s --check-prefix=JSON
// JSON: {"devices": 8, "comparisons": [{"output": 0
// JSON-SAME: "agree": true}

// Impossible tolerance: the first difference is shown, and the status is 1.
// RUN: (tess verify %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --tolerance 1e-30; echo status $?) | FileCheck %s --check-prefix=WRONG
// WRONG: result{{.*}} differs from the {{.*}}: {{[0-9]+}} of {{[0-9]+}} elements, first at [
// WRONG: status 1

// What run writes, run reads.
// RUN: tess run %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --outputs %t.npz | FileCheck %s --check-prefix=DONE
// RUN: tess run %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --devices 1 --json | FileCheck %s --check-prefix=WHOLE
// RUN: tess run %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --faithful --threads 1 | FileCheck %s --check-prefix=DONE
// RUN: %python -c "import zipfile, sys; assert zipfile.ZipFile('%t.npz').testzip() is None"
// DONE: 8 devices, {{[0-9]+}} bytes of intermediate values
// DONE-NEXT: out0 f32[]
// DONE-NEXT: out1 f32[96,32]
// WHOLE: "outputs": ["f32[]", "f32[96,32]"

// RUN: (tess run %S/../../examples/gpt_step.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: the function takes 16 arguments: give --inputs FILE.npz with in0, in1, …; `tess verify` runs a program on random ones
// INPUTS: status 1

// The trace is JSON, with a lane for each device, and the events of a lane do not overlap.
// RUN: tess run %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --trace %t.json
// RUN: %python %S/check_trace.py %t.json 8

// Ctrl-C: status 130, and nothing is written.
// RUN: %python %S/interrupt.py tess %t.out.npz | FileCheck %s --check-prefix=STOPPED
// STOPPED: status 130, no outputs

// Inputs as bytes whose shapes and layouts are given.
// RUN: %python -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<6f', 1, 2, 3, 4, 5, 6))" > %t.rows
// RUN: %python -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<6f', 1, 4, 2, 5, 3, 6))" > %t.columns
// RUN: echo 'func.func @main(%%a: tensor<2x3xf32>, %%b: tensor<2x3xf32>) { check.expect_eq %%a, %%b : tensor<2x3xf32> return }' > %t.eq.mlir
// RUN: tess eval %t.eq.mlir --inputs '%t.rows:f32[2,3],%t.columns:f32[2,3]{0,1}' --json | FileCheck %s --check-prefix=RAW
// RUN: (tess eval %t.eq.mlir --inputs '%t.rows:f32[2,4],%t.rows'; echo status $?) 2>&1 | FileCheck %s --check-prefix=SIZE
// RAW: "checks": 1
// SIZE: has 24 bytes, its shape 32
// SIZE: status 1

// More inputs than arguments are no oversight to pass over.
// RUN: (tess eval %t.eq.mlir --inputs '%t.rows:f32[2,3],%t.rows:f32[2,3],%t.rows:f32[2,3]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=SURPLUS
// SURPLUS: the function takes 2 arguments; the inputs also have in2
// SURPLUS: status 1
