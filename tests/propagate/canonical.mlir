// order=canonical: the order of independent operations decides nothing, and whoever a change
// concerns hears of it.
// RUN: tess opt %s -split-input-file -sdy-propagation-pipeline=order=canonical | FileCheck %s
// RUN: tess opt %s -split-input-file -sdy-propagation-pipeline | FileCheck %s --check-prefix=SDY

// Two neighbours of %c offer it different dimensions; in either order of the text it takes
// the first.
// CHECK-LABEL: func.func public @main
// CHECK-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// SDY-LABEL: func.func public @main
// SDY-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                       %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %c : tensor<8x8xf32>
  %1 = stablehlo.add %b, %c : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func public @main
// CHECK-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// SDY-LABEL: func.func public @main
// SDY-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                       %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %1 = stablehlo.add %b, %c : tensor<8x8xf32>
  %0 = stablehlo.add %a, %c : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A call between a value and what shards it: Shardy does not wake the edge of the callee's
// argument, so that @f stays whole.
// CHECK-LABEL: func.func public @main
// CHECK-NOT: sdy.reshard
// CHECK: call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
// CHECK-NOT: sdy.reshard
// CHECK: func.func private @f(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// SDY-LABEL: func.func public @main
// SDY: %[[WHOLE:.*]] = sdy.reshard %0 <@mesh, [{}, {}]>
// SDY: call @f(%[[WHOLE]]) : (tensor<8x4xf32>)
// SDY: func.func private @f(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32>
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%a: tensor<8x4xf32>, %v: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.abs %a : tensor<8x4xf32>
  %1 = func.call @f(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %b : tensor<8x4xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}
func.func private @f(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
