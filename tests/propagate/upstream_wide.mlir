// 8,000 arguments that feed one operation each: quadratic time and memory in Shardy, which
// needs 2 s and 1 GB (tests/bench/propagation compares).  All get the sharding.
// RUN: %python %S/Inputs/wide.py 8000 > %t
// RUN: tess opt %t -sdy-propagation-pipeline -o %t.out
// RUN: grep -c 'stablehlo.add .*\[{"x"}\]' %t.out | FileCheck %s
// CHECK: 8000
