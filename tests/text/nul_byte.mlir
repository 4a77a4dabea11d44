// RUN: printf 'func.func private @f(!other.one<1\0>)\n' > %t.type && (tess opt %t.type; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: printf 'module attributes {a = #other.one<1\0>} {}\n' > %t.attr && (tess opt %t.attr; echo status $?) 2>&1 | FileCheck %s --check-prefix=ATTR
// RUN: printf 'module attributes {a = affine_map<(d0)\0 -> (d0)>} {}\n' > %t.map && (tess opt %t.map; echo status $?) 2>&1 | FileCheck %s --check-prefix=MAP
// What is kept as it is written is text: a byte 0 in it, which no text has, is an error.

// TYPE: nul_byte.mlir.tmp.type:1:22: error[E0100]: the type does not end
// TYPE: status 1
// ATTR: nul_byte.mlir.tmp.attr:1:{{[0-9]+}}: error[E0100]: the attribute does not end
// ATTR: status 1
// MAP: nul_byte.mlir.tmp.map:1:{{[0-9]+}}: error[E0100]: expected '<' and a matching '>'
// MAP: status 1
