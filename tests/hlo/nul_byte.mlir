// REQUIRES: hlo
// RUN: printf 'HloModule m\nStackFrames\n1 {\0}\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n' > %t.frames && (tess hlo %t.frames; echo status $?) 2>&1 | FileCheck %s --check-prefix=FRAMES
// RUN: printf 'HloModule m\n\nENTRY e {\n  ROOT p = f32[] parameter(0), metadata={op_name="a\0b"}\n}\n' > %t.name && (tess hlo %t.name; echo status $?) 2>&1 | FileCheck %s --check-prefix=NAME
// Much of HLO text is kept as it is written: a byte 0 in it, which no text has, is an error.

// FRAMES: nul_byte.mlir.tmp.frames:3:4: error[E0840]: expected text, found byte 0x00
// FRAMES: status 1
// NAME: nul_byte.mlir.tmp.name:4:{{[0-9]+}}: error[E0840]: expected text, found byte 0x00
// NAME: status 1
