// Small sums that take the results of other sums go together, too.

// Gradients are scattered over pairs of devices, then summed over the other pairs, as with state that is sharded within
// nodes.  XLA (jaxlib 0.11.1, its compiler for CPUs) makes one all-reduce of those of such gradients, though each of
// them takes a reduce-scatter's result, and is updated right after it.

// Two devices send half of 2048 B or, reduced, all of 1024 B in one step of 1 us, 113.8 ns of bytes at 0.9 of
// 10e9 B/s, with a floor of 2 us.  Of each kind, the second takes only what its bytes add.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 1.137{{[0-9]*}}e-07
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 1.137{{[0-9]*}}e-07
// A sum of a sum among the same devices cannot go with it.
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.1137{{[0-9]*}}e-06

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%w: tensor<8x32xf32>, %v: tensor<8x32xf32>, %a: tensor<16x32xf32>, %b: tensor<16x32xf32>)
      -> (tensor<8x32xf32>, tensor<8x32xf32>) {
    %0 = "stablehlo.reduce_scatter"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %2 = stablehlo.subtract %w, %1 : tensor<8x32xf32>
    %3 = "stablehlo.reduce_scatter"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<8x32xf32>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %6 = stablehlo.subtract %v, %5 : tensor<8x32xf32>
    return %2, %6 : tensor<8x32xf32>, tensor<8x32xf32>
  }
}
