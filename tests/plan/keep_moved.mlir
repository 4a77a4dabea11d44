// A collective of Shardy takes axes off its operand, so the constraint that puts them there stays, whatever
// else a plan leaves out or changes, and what is written can be run.
//
// RUN: tess plan %s --target h100x8 -o %t.mlir > %t.txt && FileCheck %s < %t.mlir && tess verify %t.mlir | FileCheck %s --check-prefix=VERIFY
// RUN: tess plan %s --target h100x8 --keep inputs -o %t.mlir > %t.txt && FileCheck %s < %t.mlir && tess verify %t.mlir | FileCheck %s --check-prefix=VERIFY
// RUN: tess plan %s --target h100x8 --keep annotations -o %t.mlir > %t.txt && FileCheck %s < %t.mlir && tess verify %t.mlir | FileCheck %s --check-prefix=VERIFY
// CHECK: %[[SPLIT:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y"}]>
// CHECK: sdy.all_gather [{}, {"y"}] %[[SPLIT]] out_sharding=<@mesh, [{"x"}, {}]>
// VERIFY: 1 comparison agrees on 8 devices

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"y"}]> : tensor<16x64xf32>
  %1 = sdy.all_gather [{}, {"y"}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x64xf32>
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}
