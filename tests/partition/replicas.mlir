// Devices as replicas: replica_id instead of partition_id, and no channels.  What of the program itself
// is among replicas, of which there was one, stays what it was.
// RUN: tess partition --devices replicas %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=partition_id --implicit-check-not=channel --implicit-check-not=use_global
// CHECK: mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32
// CHECK: stablehlo.replica_id : tensor<ui32>
// CHECK: stablehlo.constant dense<0> : tensor<ui32>
// CHECK: all_reduce{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK: all_reduce{{.*}}replica_groups = dense<{{\[\[}}0], [1], [2], [3]]>
// CHECK: all_reduce{{.*}}replica_groups = dense<{{\[\[}}0, 1, 2, 3]]>
// CHECK: collective_permute{{.*}}source_target_pairs = dense<{{\[\[}}0, 1], [1, 0], [2, 3], [3, 2]]>
// CHECK: collective_permute{{.*}}source_target_pairs = dense<{{\[\[}}0, 0], [1, 1], [2, 2], [3, 3]]>

// RUN: tess opt %t.mlir | diff %t.mlir -
// RUN: %python %S/../tool/Inputs/npz.py %t.npz in0=f4:1,2,4,8
// RUN: tess run %s --inputs %t.npz --outputs %t.partitions.npz | FileCheck %s --check-prefix=RAN
// RUN: tess run %t.mlir --inputs %t.npz --outputs %t.replicas.npz | FileCheck %s --check-prefix=RAN
// RAN: 4 devices
// RUN: cmp %t.partitions.npz %t.replicas.npz
// RUN: tess verify %s --partitioned %t.mlir --inputs %t.npz | FileCheck %s --check-prefix=VERIFY
// VERIFY: 1 comparison agrees on 4 devices
// RUN: tess report %t.mlir | FileCheck %s --check-prefix=REPORT
// REPORT: 4 devices

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<1xf32>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %r = stablehlo.replica_id : tensor<ui32>
    %q = stablehlo.add %p, %r : tensor<ui32>
    %f = stablehlo.convert %q : (tensor<ui32>) -> tensor<f32>
    %g = stablehlo.reshape %f : (tensor<f32>) -> tensor<1xf32>
    %c = stablehlo.add %b, %g : tensor<1xf32>
    %1 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    %3 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1xf32>) -> tensor<1xf32>
    %4 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %5 = "stablehlo.collective_permute"(%4) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %6 = stablehlo.subtract %3, %5 : tensor<1xf32>
    %7 = stablehlo.add %6, %c : tensor<1xf32>
    sdy.return %7 : tensor<1xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
