// Propagation copies constants for their users, with their names: what is printed has each name
// once in sight, and is read again.
// RUN: tess shard %s | FileCheck %s
// RUN: tess shard %s -o %t.mlir
// RUN: tess shard %t.mlir -o %t.again.mlir
// RUN: tess opt %t.mlir -o %t.opt.mlir
// RUN: tess opt %t.opt.mlir | diff %t.opt.mlir -

// CHECK: %c = sdy.constant
// CHECK: %c_1 = sdy.constant
// CHECK: sdy.sharding_constraint %c <@mesh, [{"x"}]>
// CHECK: %4 = stablehlo.iota
// CHECK: %v4 = stablehlo.iota
// CHECK: sdy.sharding_constraint %{{v?4}} <@mesh, [{"x"}]>
// CHECK: stablehlo.while
// CHECK: %c_0 = sdy.constant

sdy.mesh @mesh = <["x"=8]>
func.func @main(%arg0: tensor<8xi32>) -> (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) {
  %c = stablehlo.constant dense<1> : tensor<8xi32>
  %0 = sdy.sharding_constraint %c <@mesh, [{"x"}]> : tensor<8xi32>
  %1 = stablehlo.compare EQ, %0, %c : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %4 = stablehlo.iota dim = 0 : tensor<8xi32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{"x"}]> : tensor<8xi32>
  %6 = stablehlo.add %arg0, %4 : tensor<8xi32>
  %7 = stablehlo.while(%i = %6) : tensor<8xi32>
  cond {
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.reduce(%i init: %c_0) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %9 = stablehlo.compare LT, %8, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  } do {
    %c_0 = stablehlo.constant dense<3> : tensor<8xi32>
    %8 = stablehlo.add %i, %c_0 : tensor<8xi32>
    stablehlo.return %8 : tensor<8xi32>
  }
  return %1, %5, %7 : tensor<8xi1>, tensor<8xi32>, tensor<8xi32>
}
