// What runs in one kernel is available when that kernel has run, not when its own operands are there.

// Both sums read %x, and are one kernel, which waits for the product.  So the gather of the second one starts
// after the product and the kernel, though its operands are arguments: nothing is left to hide it behind.
// It sends 2 MiB to the other device, at 0.9 of 10e9 B/s in one step of 1 us, with a floor of 2 us.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "exposed_communication_seconds": 0.000236{{[0-9]*}}
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "seconds": 0.000236{{[0-9]*}}

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<512x1024xf32>, %b: tensor<1024x1024xf32>, %x: tensor<512x1024xf32>, %g: tensor<512x1024xf32>)
      -> (tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<1024x1024xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x1024xf32>, tensor<1024x1024xf32>) -> tensor<512x1024xf32>
    %2 = stablehlo.add %0, %x : tensor<512x1024xf32>
    %3 = stablehlo.add %x, %g : tensor<512x1024xf32>
    %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<512x1024xf32>) -> tensor<1024x1024xf32>
    return %0, %2, %4 : tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<1024x1024xf32>
  }
}
