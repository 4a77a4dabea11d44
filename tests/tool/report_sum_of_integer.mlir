// A sum over devices of a single integer waits for the integer, and a sum of that sum waits for it: it is not an index
// that is known before.

// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "exposed_communication_seconds": 6.0008{{[0-9]*}}e-06
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.0004{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.0004{{[0-9]*}}e-06

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<64x64xi32>) -> tensor<i32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %m = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
    %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xi32>, tensor<i32>) -> tensor<i32>
    %0 = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %t = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %t = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %t : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}
