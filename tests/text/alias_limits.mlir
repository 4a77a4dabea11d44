// Aliases of aliases stand for more than anybody can print, or follow to its end.
// RUN: awk 'BEGIN { print "#a0 = 1 : i32"; for (i = 1; i < 30; i++) print "#a" i " = [#a" i-1 ", #a" i-1 "]" }' >%t.mlir
// RUN: (! tess opt %t.mlir 2>&1) | FileCheck %s --check-prefix ATTRIBUTES
// ATTRIBUTES: error[E0101]: with their aliases written out, attributes and types have more than 16777216 parts
// ATTRIBUTES-NEXT: #a23 = [#a22, #a22]
// RUN: awk 'BEGIN { print "!t0 = tuple<>"; for (i = 1; i < 30; i++) print "!t" i " = tuple<!t" i-1 ", !t" i-1 ">" }' >%t.mlir
// RUN: (! tess opt %t.mlir 2>&1) | FileCheck %s --check-prefix TYPES
// TYPES: error[E0101]: with their aliases written out, attributes and types have more than 16777216 parts
// TYPES-NEXT: !t24 = tuple<!t23, !t23>
// RUN: awk 'BEGIN { print "!t0 = tuple<>"; for (i = 1; i < 300; i++) print "!t" i " = tuple<!t" i-1 ">" }' >%t.mlir
// RUN: (! tess opt %t.mlir 2>&1) | FileCheck %s --check-prefix DEEP
// DEEP: error[E0101]: with its aliases written out, this is nested more than 256 deep
// DEEP-NEXT: !t256 = tuple<!t255>
// RUN: awk 'BEGIN { print "module attributes {a.x = #a299} {}"; for (i = 299; i; i--) print "#a" i " = [#a" i-1 "]"; print "#a0 = 1 : i32" }' >%t.mlir
// RUN: (! tess opt %t.mlir 2>&1) | FileCheck %s --check-prefix BACKWARDS
// BACKWARDS: error[E0101]: this is nested more than 256 deep

// Locations are as deep as a program's calls.
// RUN: awk 'BEGIN { print "#l0 = loc(\"a\")"; for (i = 1; i < 1200; i++) print "#l" i " = loc(callsite(#l" i-1 " at #l0))"; print "module {} loc(#l1000)" }' >%t.mlir
// RUN: (! tess opt %t.mlir 2>&1) | FileCheck %s --check-prefix LOCATIONS
// LOCATIONS: error[E0101]: with its aliases written out, this is nested more than 2048 deep
// RUN: head -1001 %t.mlir >%t.less.mlir && echo 'module {} loc(#l1000)' >>%t.less.mlir
// RUN: tess opt %t.less.mlir --mlir-print-debuginfo | FileCheck %s --check-prefix FINE
// FINE: } loc(#loc1000)

// RUN: tess opt %s | FileCheck %s
// CHECK: module attributes {a.x = {{\[\[\[}}0 : i32, 0 : i32], [0 : i32, 0 : i32]], 0 : i32]}
#a0 = 0 : i32
#a1 = [#a0, #a0]
#a2 = [#a1, #a1]
module attributes {a.x = [#a2, #a0]} {}
