// Collectives cannot be merged if each of two merged ones would wait for the other.

// The second sum is merged with the first, which takes a scattered sum. Its own result is scattered afterwards, and
// that cannot go with the first scattered sum, for which both sums wait. In one step of 1 us, with a floor of 2 us, two
// devices send half of 2048 B or, if the sum is not scattered, all of 1024 and of 2048 B, at 0.9 of 10e9 B/s.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 2.2755{{[0-9]*}}e-07
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %v0 = "stablehlo.reduce_scatter"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids, scatter_dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<8x32xf32>
    %v1 = "stablehlo.all_reduce"(%v0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %v2 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %v3 = "stablehlo.reduce_scatter"(%v2) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids, scatter_dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<8x32xf32>
    return %v1, %v3 : tensor<8x32xf32>, tensor<8x32xf32>
  }
}
