// On a terminal long lists are cut, and the rest is counted; files and pipes get all.
// RUN: %python %S/terminal.py --program 300 > %t.mlir
// RUN: %python %S/terminal.py tess shard %t.mlir --table | FileCheck %s --check-prefix=CUT
// RUN: %python %S/terminal.py tess shard %t.mlir | FileCheck %s --check-prefix=PROGRAM
// RUN: tess shard %t.mlir --table | FileCheck %s --check-prefix=ALL
// RUN: %python %S/terminal.py tess shard %t.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: %python %S/terminal.py tess shard %s --table | FileCheck %s --check-prefix=SHORT

// A message has colours there, if the program says nothing else.
// RUN: echo 'func.func @main() { return %%a : f32 }' > %t.wrong.mlir
// RUN: (! env -u NO_COLOR TERM=xterm %python %S/terminal.py tess shard %t.wrong.mlir) | FileCheck %s --check-prefix=COLOR
// COLOR: wrong.mlir:1:28: {{.\[1;31m}}error
// RUN: (! tess shard %t.wrong.mlir 2>&1) | FileCheck %s --check-prefix=PLAIN
// PLAIN: wrong.mlir:1:28: error

// A head, an argument, 300 values, a result.
// CUT: %v197
// CUT-NOT: %v198
// CUT: … and 103 more lines; a file or a pipe gets all
// CUT-NOT: %v
// PROGRAM: … and {{[0-9]+}} more lines
// ALL: %v299
// ALL-NOT: more lines
// JSON: "value": "%v299"
// JSON-NOT: more lines
// SHORT: result:0
// SHORT-NOT: more lines
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
