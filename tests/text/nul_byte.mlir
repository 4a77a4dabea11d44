// RUN: printf 'func.func private @f(!other.one<1\0>)\n' > %t.type && (tess opt %t.type; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: printf 'module attributes {a = #other.one<1\0>} {}\n' > %t.attr && (tess opt %t.attr; echo status $?) 2>&1 | FileCheck %s --check-prefix=ATTR
// RUN: printf 'module attributes {a = affine_map<(d0)\0 -> (d0)>} {}\n' > %t.map && (tess opt %t.map; echo status $?) 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: printf '"test.op"() {a = #test.attr<"a >\0b">} : () -> ()\n' > %t.quoted && (tess opt -allow-unregistered-dialect %t.quoted; echo status $?) 2>&1 | FileCheck %s --check-prefix=QUOTED
// What is kept as it is written is text: a byte 0 in it, which no text has, is an error.

// TYPE: nul_byte.mlir.tmp.type:1:34: error[E0100]: there is a byte 0x00 in the text
// TYPE: status 1
// ATTR: nul_byte.mlir.tmp.attr:1:{{[0-9]+}}: error[E0100]: there is a byte 0x00 in the text
// ATTR: status 1
// MAP: nul_byte.mlir.tmp.map:1:{{[0-9]+}}: error[E0100]: there is a byte 0x00 in the text
// MAP: status 1
// QUOTED: nul_byte.mlir.tmp.quoted:1:33: error[E0100]: there is a byte 0x00 in the text
// QUOTED: status 1
