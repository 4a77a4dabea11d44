// A whole program of one manual computation over all axes, as jax.shard_map makes it.  Its mesh has
// an axis for every part of an axis that splits an argument or a result, of whatever mesh.
// RUN: tess partition --wrap shard_map %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=tess.
// CHECK: sdy.mesh @mesh_0 = <["x_1"=2, "x_2"=2, "y"=2]>
// CHECK-NOT: sdy.mesh
// CHECK: func.func private @twice{{.*}}(%{{.*}}: tensor<4xf32>)
// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"x_1"}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"x_1", "x_2", "y"}]>}, %arg2: tensor<1xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{}]>})
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"y", "x_2"}]>}, tensor<1xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{}]>})
// CHECK: sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh_0, [{"x_1"}]>, <@mesh_0, [{"x_1", "x_2", "y"}]>, <@mesh_0, [{}]>] out_shardings=[<@mesh_0, [{"y", "x_2"}]>, <@mesh_0, [{}]>] manual_axes={"x_1", "x_2", "y"} (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<1xf32>, %{{.*}}: tensor<1xf32>)
// CHECK: sdy.return

// It is read and verified again, and gives the same.
// RUN: tess opt %t.mlir | diff %t.mlir -
// RUN: %python %S/../tool/Inputs/npz.py %t.npz in0=f4:8,7,6,5,4,3,2,1 in1=f4:1,2,3,4,5,6,7,8 in2=f4:3
// RUN: tess run %s --inputs %t.npz --outputs %t.whole.npz | FileCheck %s --check-prefix=RAN
// RUN: tess run %t.mlir --inputs %t.npz --outputs %t.wrapped.npz | FileCheck %s --check-prefix=RAN
// RAN: 8 devices
// RUN: cmp %t.whole.npz %t.wrapped.npz
// RUN: tess partition %t.mlir --wrap shard_map | tess run - --inputs %t.npz --outputs %t.again.npz
// RUN: cmp %t.whole.npz %t.again.npz

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @flat = <["all"=8]>
func.func @main(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>, tf.aliasing_output = 0 : i32},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"all"}]>},
    %n: tensor<1xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(2)2}]>}, tensor<1xf32>) {
  %0 = stablehlo.sine %a : tensor<8xf32>
  %1 = func.call @twice(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @twice(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
  %3 = stablehlo.add %t, %n : tensor<1xf32>
  return %2, %3 : tensor<8xf32>, tensor<1xf32>
}
func.func private @twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
