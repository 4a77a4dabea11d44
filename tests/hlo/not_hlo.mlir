// What is no HLO is called what it is, with the commands that read it.
// RUN: (tess hlo %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess convert --texts %s; echo status $?) 2>&1 | FileCheck %s
// CHECK: not_hlo.mlir:[[@LINE+2]]:1: error[E0840]: this is MLIR, not HLO: `tess shard`, `tess report` and others read it, `tess convert --to-hlo` makes HLO of it
// CHECK: status 1
module @f attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// RUN: (printf '\n'; echo '#loc = loc(unknown)') | (tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: <stdin>:2:1: error[E0840]: this is MLIR, not HLO
// RUN: (tess hlo /dev/null; echo status $?) 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: expected HloModule, found the end of the text
// RUN: (tess hlo %S/../../examples/gpt_step.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=NPZ
// NPZ: gpt_step.npz is a zip or npz archive, not a program
// RUN: printf '\n\003abc\022\001x' >%t.pb; (tess hlo %t.pb; tess shard %t.pb; echo status $?) 2>&1 | FileCheck %s --check-prefix=PROTO
// PROTO-COUNT-2: error[E0853]: {{.*}}.pb: byte 8: the module has no computations
// PROTO: status 1

// A computation may have any name.
// RUN: printf 'module (x: f32[]) -> f32[] { ROOT x = f32[] parameter(0) }\n' | tess hlo - | FileCheck %s --check-prefix=NAME
// NAME: ENTRY %module (x: f32[]) -> f32[] {
