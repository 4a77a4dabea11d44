// A collective that the program itself has is no part of partitioning anything.
// RUN: tess explain %s --collective 0 | FileCheck %s
// RUN: (tess report %s --constrain a; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-SIGN
// RUN: (tess report %s --arg '0=[{}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=RANK

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK: collective 0: all_reduce over x
// CHECK-NEXT: the program itself asks for it
// NO-SIGN: tess report: --constrain a: expected a value, '=' and a sharding
// NO-SIGN: status 2
// RANK: the sharding has 1 dimension, but the tensor has 2
// RANK: status 1
