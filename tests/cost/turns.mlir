// Devices that share cores take turns: all is as many times as slow, and each collective makes a core turn to each
// of its devices, whose data it has to read again.

// Four devices of `box` send 1024 B to each other: all of a sum to each of three others at 9e9 B/s in one step of 1 us,
// with a floor of 2 us.  On two cores that takes twice as long, and 2 x 100 us more.  What follows at once, a sum that is
// passed on, needs no other turn: 113.8 ns, 1 us and 2 us for 1024 B to one other device, twice.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: echo "two like=box cores=2" >> %t.box
// RUN: echo "slow like=two turn=100e-6" >> %t.box
// RUN: echo "four like=slow cores=4" >> %t.box
// RUN: tess report %s --target %t.box:box --json | FileCheck %s --check-prefix=BOX
// RUN: tess report %s --target %t.box:two --json | FileCheck %s --check-prefix=TWO
// RUN: tess report %s --target %t.box:slow --json | FileCheck %s --check-prefix=SLOW
// RUN: tess report %s --target %t.box:four --json | FileCheck %s --check-prefix=BOX
// BOX: "collectives": [
// BOX: "seconds": 3.3413{{[0-9]*}}e-06
// TWO: "collectives": [
// TWO: "seconds": 6.6826{{[0-9]*}}e-06
// SLOW: "collectives": [
// SLOW: "seconds": 0.0002066826{{[0-9]*}}
// SLOW: "op": "stablehlo.collective_permute"
// SLOW: "seconds": 6.2275{{[0-9]*}}e-06

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<256xf32>) -> tensor<256xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<256xf32>) -> tensor<256xf32>
    return %1 : tensor<256xf32>
  }
}
