// The page of a plan: the report of the program with it, which begins with the plan, as --json has it.
// RUN: tess plan %S/step.mlir --target h100x8 --devices 8 --mesh data=4,model=2 --limit 7MB --json --html %t.html -o %t.mlir > %t.json
// RUN: tess report %t.mlir --target h100x8 --html - > %t.report.html
// RUN: %python %S/check_page.py %t.json %t.html %t.report.html
// RUN: FileCheck %s < %t.html
// CHECK: <!doctype html>
// CHECK-NOT: {{src|href}}="http
// CHECK: <div id="plan"></div>
// CHECK: "plan":{"target":"h100x8","mesh":{"data":4,"model":2}

// Where nothing fits, it says what would have to change.
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 --limit 1MB --html - > %t.html)
// RUN: FileCheck %s --check-prefix=MISFIT < %t.html
// MISFIT: "plan":{"target":"h100x8"
// MISFIT-SAME: "limit_bytes":1000000,"fits":false
// MISFIT-SAME: "to_fit":"{{(its state alone is larger|it would fit if temporaries took)}}

// RUN: tess plan %S/step.mlir --target h100x8 --devices 8 --emit specs --html %t.html | FileCheck %s --check-prefix=BOTH
// BOTH: mesh data
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 --json --html - 2>&1) | FileCheck %s --check-prefix=ONE
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 -o - --html - 2>&1) | FileCheck %s --check-prefix=ONE
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 --emit jax --json 2>&1) | FileCheck %s --check-prefix=ONE
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 --emit jax -o - 2>&1) | FileCheck %s --check-prefix=ONE
// ONE: only one of --html -, -o -, --emit and --json can write to standard output
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 --html %t.nowhere/page.html 2>&1) | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: page.html: No such file or directory

// A plan took long to find: it is printed, too, if a file cannot be written.
// NOWHERE: decision why next best
// RUN: (! tess plan %S/step.mlir --target h100x8 --devices 8 -o %t.nowhere/plan.mlir > %t.txt)
// RUN: FileCheck %s --check-prefix=PRINTED < %t.txt
// PRINTED: decision why next best
