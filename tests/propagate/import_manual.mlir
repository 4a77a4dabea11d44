// Manual axes are put in mesh order, and every border sharding names them all.
// RUN: tess opt %s -sdy-manual-axes-cleanup | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
// CHECK-LABEL: func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"z"}, {}], replicated={"x"}>, <@mesh, [{}], replicated={"x", "y", "z"}>] out_shardings=[<@mesh, [{}, {"x", ?}], replicated={"z"}>] manual_axes={"x", "z"} (%arg2: tensor<4x8xf32>, %arg3: tensor<8xf32>) {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: sdy.return %cst : tensor<8x4xf32>
// CHECK-NEXT: } : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8xf32>
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"z"}, {}]>, <@mesh, [{}], replicated={"y"}>] out_shardings=[<@mesh, [{}, {"x", ?}]>] manual_axes={"z", "x"} (%arg2: tensor<4x8xf32>, %arg3: tensor<8xf32>) {
    %1 = stablehlo.constant dense<0.0> : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
