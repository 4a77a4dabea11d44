// XLA's all-to-all for CPUs copies runs of elements before it if it splits a dimension that is not outermost, and after
// it if it joins one; in the cache at 2 * 20/10 * 1.3e9 B/s.

// Among 4 devices, 3/4 of 4096 B at 0.9 of 20/10 * 3e9 B/s, a step of 6 us and a floor: 12.569 us.  The copies take 0.788 us
// each.
// RUN: tess report %s --target cpu --json | FileCheck %s
// CHECK: "collectives": [
// CHECK: "seconds": 1.3356{{[0-9]*}}e-05
// CHECK: "moves": "%before"
// CHECK: "seconds": 1.3356{{[0-9]*}}e-05
// CHECK: "moves": "%after"
// CHECK: "seconds": 1.4144{{[0-9]*}}e-05
// CHECK: "moves": "%both"

sdy.mesh @mesh = <["x"=4]>
func.func @main(%before: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %after: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %both: tensor<4x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<4x32x32xf32>) {
  %0 = sdy.sharding_constraint %before <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  %2 = sdy.sharding_constraint %after <@mesh, [{"x"}, {}]> : tensor<64x64xf32>
  %3 = stablehlo.sine %2 : tensor<64x64xf32>
  %4 = sdy.sharding_constraint %both <@mesh, [{}, {"x"}, {}]> : tensor<4x32x32xf32>
  %5 = stablehlo.negate %4 : tensor<4x32x32xf32>
  return %1, %3, %5 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<4x32x32xf32>
}
