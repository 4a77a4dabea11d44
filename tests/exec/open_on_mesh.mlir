// A program for a mesh whose dimensions only the inputs say is partitioned when they are there; what a
// manual computation sees of them follows.
// RUN: tess run %s --inputs %S/../bytecode/Inputs/sharded_matmul.npz --outputs %t.npz | FileCheck %s
// RUN: sed 's/<?x16xf/<8x16xf/g;s/<?x4xf/<4x4xf/g;s/<16x?xf/<16x4xf/g;s/<?x?xf/<8x4xf/g' %s > %t.mlir
// RUN: tess run %t.mlir --inputs %S/../bytecode/Inputs/sharded_matmul.npz --outputs %t.static.npz
// RUN: cmp %t.npz %t.static.npz
// CHECK: 8 devices
// CHECK: out0 f32[8,4]
// CHECK: out1 f32[8,16]
// CHECK: out2 f32[16]
// RUN: ! tess partition %s 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error[E0507]: propagation needs ranked tensors of static shape
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<?x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %arg1: tensor<16x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<?x?xf32>, tensor<?x16xf32>, tensor<16xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<?x16xf32>, tensor<16x?xf32>) -> tensor<?x?xf32>
  %1:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}]>] manual_axes={"x", "y"} (%arg2: tensor<?x4xf32>) {
    %2 = stablehlo.multiply %arg2, %arg2 : tensor<?x4xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %5 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %2, %4 : tensor<?x4xf32>, tensor<4xf32>
  } : (tensor<?x16xf32>) -> (tensor<?x16xf32>, tensor<16xf32>)
  return %0, %1#0, %1#1 : tensor<?x?xf32>, tensor<?x16xf32>, tensor<16xf32>
}
