// What stands in an attribute that is kept as it was written may have any bytes.
// RUN: printf 'module attributes {t.a = #mpmd.topology<<"m1": <["x"=2]\b>>>} {}' > %t
// RUN: tess opt %t > %t.again
// RUN: tess opt %t.again | diff - %t.again
