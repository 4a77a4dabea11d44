// RUN: printf 'func.func private @f(!other.one<1\0>)\n' > %t.type && (tess opt %t.type; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: printf 'module attributes {a = #other.one<1\0>} {}\n' > %t.attr && (tess opt %t.attr; echo status $?) 2>&1 | FileCheck %s --check-prefix=ATTR
// What is kept as it is written is text: a byte 0 in it, which no text has, is an error.

// TYPE: nul_byte.mlir.tmp.type:1:22: error[E0100]: the type does not end
// TYPE: status 1
// ATTR: nul_byte.mlir.tmp.attr:1:{{[0-9]+}}: error[E0100]: the attribute does not end
// ATTR: status 1
