// Two small sums among the same devices go together: the second takes what it adds.

// Reduce-scatters of 2048 B among 4 devices, in two steps of 1 us: 4/3 of 1536 B at 0.9 of 10e9 B/s, and
// a floor of 2 us; the second adds the 228 ns of its bytes.  The all-reduce that sums the product of
// both sends 2048 B to each of 3 others in one step, and goes with none.
// RUN: echo "box flops_f32=110e9 flops_bf16=220e9 memory=16e9 memory_bandwidth=20e9 link=10e9 latency=1e-6 far=10e9 far_latency=1e-6 link_efficiency=0.9 floor=2e-6" > %t.box
// RUN: tess report %s --target %t.box --json | FileCheck %s
// CHECK: "communication": {
// CHECK: "seconds": 8.137{{[0-9]*}}e-06
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 4.227{{[0-9]*}}e-06
// CHECK: "op": "stablehlo.reduce_scatter"
// CHECK: "seconds": 2.27{{[0-9]*}}e-07
// CHECK: "op": "stablehlo.all_reduce"
// CHECK: "seconds": 3.682{{[0-9]*}}e-06

// XLA's compiler for CPUs merges all-reduces alone: each reduce-scatter takes two steps of 6 us, the bytes, a floor, and
// 2048 + 512 B brought into another order at 20/10 * 1.3e9 B/s, as it is along columns and fits into the cache.
// RUN: tess report %s --target cpu --json | FileCheck %s --check-prefix=CPU
// CPU: "op": "stablehlo.reduce_scatter"
// CPU: "seconds": 1.9363{{[0-9]*}}e-05
// CPU: "op": "stablehlo.reduce_scatter"
// CPU: "seconds": 1.9363{{[0-9]*}}e-05

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<16x32xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{}, {}]> : tensor<16x32xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<16x32xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"x"}]> : tensor<16x32xf32>
  %6 = stablehlo.dot_general %5, %b, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  return %6 : tensor<16x32xf32>
}
