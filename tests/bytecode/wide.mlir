// Integers of more than 64 bits, sparse elements and distinct attributes, as jaxlib has written them.
// RUN: tess opt %S/Inputs/wide.bc > %t && FileCheck %s < %t
// CHECK: a.a = 340282366920938463463374607431768211455 : ui128, a.b = -7 : si100, a.c = 5 : i128, a.d = -18446744073709551617 : i128, a.e = 18446744073709551615 : i65, a.f = 9223372036854775808 : ui70, a.g = -604462909807314587353088 : i80, a.h = 604462909807314587353087 : i80, a.i = 0 : i128, a.s = sparse<{{\[}}[0, 1], [2, 3]], [1.000000e+00, 2.000000e+00]> : tensor<4x4xf32>, a.t = sparse<0, 1> : tensor<3xi64>, a.u = distinct[0]<"x">, a.v = distinct[1]<>}

// They are written as text, and are the same again, as those of a text are.
// RUN: tess convert %S/Inputs/wide.bc --to bytecode | tess opt - | diff %t -
// RUN: tess opt %t | diff %t -
// RUN: tess convert %t --to bytecode | tess opt - | diff %t -
