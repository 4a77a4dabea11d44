// On a terminal a command that takes more than a second says so, and takes that line away before its output.
// RUN: %python %S/waiting.py tess report %s | FileCheck %s --check-prefixes=CHECK,REPORT
// RUN: %python %S/waiting.py tess lint %s | FileCheck %s --check-prefixes=CHECK,LINT
// RUN: %python %S/waiting.py tess verify %s | FileCheck %s --check-prefixes=CHECK,VERIFY
// RUN: %python %S/waiting.py tess advise --mesh x=2 --arg '0=[{"x"}]' %s | FileCheck %s --check-prefixes=CHECK,ADVISE
// RUN: %python %S/waiting.py tess plan --devices 2 %s | FileCheck %s --check-prefixes=CHECK,PLAN
// Elsewhere nothing is said.
// RUN: tess report %s 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=', 1 s'
// QUIET: memory of one device

// CHECK: {{report|lint|verify|advise|plan}}, {{[12]}} s
// REPORT: [K{{.*}} on h100x8
// LINT: [Knothing found
// VERIFY: [K{{.*}}1 comparison
// PLAN: [K{{.*}} on 2 x h100x8
// ADVISE: [K{{.*}} on h100x8, 2 devices
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
