// What is gathered by columns is transposed, if the machine needs that, also if collectives are merged.

// Two devices send 2048 B in one step of 1 us, with a floor of 2 us, at 0.9 of 10e9 B/s: 3.228 us, and the second adds
// 0.228. What each has before and after, 2048 B and 4096 B, is transposed at 1e9 B/s, in 6.144 us.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6 relayout=1e9" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "seconds": 9.3715{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "seconds": 6.3715{{[0-9]*}}e-06

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<16x32xf32>) -> tensor<16x64xf32>
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<16x32xf32>) -> tensor<16x64xf32>
    return %0, %1 : tensor<16x64xf32>, tensor<16x64xf32>
  }
}
