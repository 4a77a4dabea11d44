// One program on several processes.
// REQUIRES: mpi
// RUN: %mpirun -n 2 tess verify %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz --backend mpi | FileCheck %s --check-prefix=VERIFY
// RUN: %mpirun -n 3 tess verify %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz | FileCheck %s --check-prefix=VERIFY
// VERIFY: 32 comparisons agree on 8 devices
// VERIFY-NOT: comparisons

// The same bytes as on virtual devices; loops whose trip count differs between devices, every
// collective, groups that are not contiguous, part of a device's value only; more ranks than
// devices.
// RUN: %python %S/ranks.py --tess tess -n 2,3,9 %S/../../examples gpt_step
// RUN: %python %S/inputs.py %t && cp %s %t/mpi.mlir && %python %S/ranks.py --tess tess -n 2,4,9 %t mpi

// A rank that fails is named, and nobody hangs.
// RUN: (%mpirun -n 1 tess run %S/../../examples/gpt_step.mlir --inputs %S/../../examples/gpt_step.npz : -n 1 tess run %S/../../examples/gpt_step.mlir --inputs nowhere.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED: error[E0707]: rank 1: nowhere.npz: No such file or directory
// FAILED: status 1

// One that stops, dies, or runs another program is named by all others, soon.
// RUN: %python %S/trouble.py --tess tess | FileCheck %s --check-prefix=TROUBLE
// TROUBLE: {{[1-9][0-9]*}} passed, 0 failed

// RUN: (tess run %s --backend pigeons; echo status $?) 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: --backend pigeons: expected threads or mpi
// USAGE: status 2

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %n: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32xf32>, tensor<4xi32>) {
  // Sums in the order of the devices, along a stride.
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reshard %a <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} (%b: tensor<2x4xf32>) {
    %4 = "stablehlo.all_to_all"(%b) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>} : (tensor<2x4xf32>) -> tensor<8x1xf32>
    %5 = "stablehlo.reduce_scatter"(%4) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %z = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) {scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids, replica_groups = dense<[[0, 7], [1, 6], [2, 5], [3, 4]]> : tensor<4x2xi64>} : (tensor<8x1xf32>) -> tensor<4x1xf32>
    %6 = "stablehlo.collective_permute"(%5) {source_target_pairs = dense<[[0, 3], [3, 6], [6, 0], [1, 7]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<4x1xf32>) -> tensor<4xf32>
    sdy.return %7 : tensor<4xf32>
  } : (tensor<8x8xf32>) -> tensor<32xf32>
  // A device goes round as often as its own number says.
  %8 = sdy.manual_computation(%n) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%m: tensor<1xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<1xi32>
    %9:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<1xi32>, tensor<1xi32>
      cond {
        %lt = stablehlo.compare LT, %i, %m : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
        %c = stablehlo.reshape %lt : (tensor<1xi1>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<1xi32>
        %j = stablehlo.add %i, %one : tensor<1xi32>
        %t = stablehlo.add %s, %j : tensor<1xi32>
        stablehlo.return %j, %t : tensor<1xi32>, tensor<1xi32>
      }
    sdy.return %9#1 : tensor<1xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32xf32>, tensor<4xi32>
}
