// Chosen operations as one device's, in manual computations; the rest stays global.
// RUN: tess opt %s -sdy-per-instruction-partitioning="filter=dot,pad" | FileCheck %s
// RUN: tess opt %s -sdy-per-instruction-partitioning="filter='selectLow=1, selectHigh=1'" | FileCheck %s --check-prefix=RANGE

// All operations of a training step, also with the reductions that explicit reshards write.
// RUN: tess opt %S/../../examples/gpt_step.mlir -sdy-propagation-pipeline=avoid-export-for-partitioning=true -sdy-per-instruction-partitioning > %t.mlir
// RUN: tess verify %t.mlir --inputs %S/../../examples/gpt_step.npz | FileCheck %s --check-prefix=AGREE
// RUN: tess opt %S/../../examples/gpt_step.mlir -sdy-propagation-pipeline=avoid-export-for-partitioning=true -sdy-insert-explicit-reshards=enable-full-version=true -sdy-per-instruction-partitioning > %t.mlir
// RUN: tess verify %t.mlir --inputs %S/../../examples/gpt_step.npz | FileCheck %s --check-prefix=AGREE
// AGREE: 32 comparisons agree on 8 devices

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// RANGE-LABEL: func @main
func.func @main(%a: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<5x6xf32> {
  // CHECK: %[[PADDED:.*]] = stablehlo.pad %arg0, {{.*}}, low = [0, 0], high = [1, 0]
  // CHECK: %[[DOT:.*]] = sdy.manual_computation(%[[PADDED]], %arg1)
  // CHECK-SAME: in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<3x2xf32>, %arg3: tensor<2x6xf32>)
  // CHECK: stablehlo.all_reduce
  // CHECK: %[[CUT:.*]] = stablehlo.slice %[[DOT]] [0:5, 0:6]
  // CHECK: stablehlo.tanh %[[CUT]]
  // RANGE: %[[DOT:.*]] = stablehlo.dot
  // RANGE: sdy.manual_computation
  // RANGE: stablehlo.tanh
  %0 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
