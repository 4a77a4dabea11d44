// What is asked for and cannot be, or would be ignored, is an error, not a silence.

// RUN: (tess verify %s --tolerance inf; tess verify %s --tolerance 1e-3,inf; tess verify %s --tolerance 1e999; echo status $?) 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: --tolerance inf: expected one or two numbers above 0, the second not below the first
// TOLERANCE: --tolerance 1e-3,inf:
// TOLERANCE: --tolerance 1e999:
// TOLERANCE: status 2

// RUN: (tess convert %s --bytecode-version 9; echo status $?) 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: --bytecode-version 9: expected 0 to 6
// VERSION: status 2

// RUN: (tess run %s --patience -1; tess verify %s --patience 0; echo status $?) 2>&1 | FileCheck %s --check-prefix=PATIENCE
// PATIENCE: --patience -1: expected a number, at least 1
// PATIENCE: --patience 0: expected a number, at least 1
// PATIENCE: status 2

// RUN: (tess run %s --devices 0; tess verify %s --devices 0; tess opt %s --mlir-elide-elementsattrs-if-larger -3; echo status $?) 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: --devices 0: expected a number, at least 1
// COUNTS: --devices 0: expected a number, at least 1
// COUNTS: --mlir-elide-elementsattrs-if-larger -3: expected a number, at least 0
// COUNTS: status 2

// RUN: (tess report --list-targets --json; tess report %s --list-targets; tess report --list-targets --html %t; echo status $?) 2>&1 | FileCheck %s --check-prefix=TARGETS
// TARGETS-COUNT-3: --list-targets excludes FILE, --json and --html
// TARGETS: status 2

// RUN: (tess hlo --shape 'f32[2]' --style short; tess hlo --stats --large-constants %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=STYLE
// STYLE-COUNT-2: --style, --no-metadata and --large-constants need a program that is printed
// STYLE: status 2

// RUN: (tess explain %s --collective 0 --dim 1; tess explain %s --collective 0 --axis x; echo status $?) 2>&1 | FileCheck %s --check-prefix=DIM
// DIM-COUNT-2: --dim and --axis need a VALUE
// DIM: status 2

// RUN: (tess shard %s --arg '0='; tess shard %s --arg '0'; echo status $?) 2>&1 | FileCheck %s --check-prefix=ARG
// ARG: 0=: expected a number, '=' and a sharding
// ARG: 0: expected a number, '=' and a sharding
// ARG: status 2
// RUN: (tess lint %s --json --sarif; echo status $?) 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --json or --sarif, not both
// BOTH: status 2

// RUN: %python %S/Inputs/npz.py %t.foo.npz in0=f4:1,2,3,4 foo=f4:1 && (tess run %s --inputs %t.foo.npz; tess eval %s --inputs %t.foo.npz; tess verify %s --inputs %t.foo.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=FOO
// FOO-COUNT-3: the function takes 1 argument; the inputs also have foo
// FOO: status 1
// RUN: %python %S/Inputs/npz.py %t.in00.npz in0=f4:1,2,3,4 in00=f4:1,2,3,4 && (tess run %s --inputs %t.in00.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=IN
// IN: the function takes 1 argument; the inputs also have in00
// IN: status 1

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: (tess plan %s --limit 0; tess plan %s --limit 1kb; tess lint %s --large -1kB; tess advise %s --budget 0; echo status $?) 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: --limit 0: a device needs some memory
// SIZES: --limit 1kb: expected bytes, as in 500kB, 72GB or 64GiB
// SIZES: --large -1kB: expected bytes
// SIZES: --budget 0: expected a number, at least 1
// SIZES: status 2

// A name of three letters is not another one of three letters.
// RUN: (! tess report %s --top 3 2>&1) | FileCheck %s --check-prefix=OTHER --implicit-check-not='did you mean'
// OTHER: unknown option --top
// RUN: (! tess report %s --msh x=2 2>&1) | FileCheck %s --check-prefix=NEAR
// NEAR: unknown option --msh; did you mean --mesh?

// Several bytes that no text has: nothing of the file is shown.
// RUN: printf 'some text, and then\nmore of it \000\001\002\003\004\020\021\033[2J' > %t.bin
// RUN: (! tess shard %t.bin 2>&1) | FileCheck %s --check-prefix=BINARY --implicit-check-not='some text'
// RUN: (! tess hlo %t.bin 2>&1) | FileCheck %s --check-prefix=BINARY --implicit-check-not='some text'
// BINARY: is a binary file, not a program in MLIR or HLO
