// XLA's collectives for CPUs need the gathered, or scattered, dimension outermost: along another one operand and result
// are transposed, at 1.3e9 B/s, and 20/10 times that if they fit into the cache; runs of elements twice as quickly.

// Among 4 devices, 4096 B of 16384 B each: 3 x 4096 B at 0.9 of 20/10 * 3e9 B/s, two or three steps of 6 us, and a floor.
// RUN: tess report %s --target cpu --json > %t.cpu
// RUN: FileCheck %s < %t.cpu
// CHECK: "collectives": [
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "moves": "%rows"
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "moves": "%columns"
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "moves": "%only"
// CHECK: "op": "stablehlo.all_gather"
// CHECK: "moves": "%runs"

// 20480 B take 7.88 us longer by columns, half of that in runs.  A dimension behind others of one element is the
// outermost one.
// RUN: %python %S/relayout.py %t.cpu | FileCheck %s --check-prefix=LONGER
// LONGER: 7.88 us, 0.00 us, 3.94 us
// RUN: echo "little like=cpu cache=20479" > %t.little
// RUN: tess report %s --target %t.little --json > %t.memory
// RUN: %python %S/relayout.py %t.memory | FileCheck %s --check-prefix=MEMORY
// MEMORY: 15.75 us, 0.00 us, 7.88 us

// On other machines both take as long, after the first, with which they go together.
// RUN: tess report %s --target h100x8 --json > %t.gpu
// RUN: %python %S/relayout.py %t.gpu | FileCheck %s --check-prefix=SAME
// SAME: -10.00 us, -10.00 us, -10.00 us

// It takes four times as long where four devices share a core (besides their turns, turns.mlir); a row of a table may say
// how fast it is.
// RUN: echo "one like=cpu cores=1 turn=1e-30" > %t.one
// RUN: tess report %s --target %t.one --json > %t.shared
// RUN: %python %S/relayout.py %t.shared | FileCheck %s --check-prefix=SHARED
// SHARED: 31.51 us, 0.00 us, 15.75 us
// RUN: echo "quick like=cpu relayout=10.24e9" > %t.quick
// RUN: tess report %s --target %t.quick --json > %t.key
// RUN: %python %S/relayout.py %t.key | FileCheck %s --check-prefix=KEY
// KEY: 1.00 us, 0.00 us, 0.50 us

sdy.mesh @mesh = <["x"=4]>
func.func @main(%rows: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %columns: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %only: tensor<1x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %runs: tensor<4x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>})
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<1x4096xf32>, tensor<4x64x16xf32>) {
  %0 = sdy.sharding_constraint %rows <@mesh, [{}, {}]> : tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  %2 = sdy.sharding_constraint %columns <@mesh, [{}, {}]> : tensor<64x64xf32>
  %3 = stablehlo.sine %2 : tensor<64x64xf32>
  %4 = sdy.sharding_constraint %only <@mesh, [{}, {}]> : tensor<1x4096xf32>
  %5 = stablehlo.cosine %4 : tensor<1x4096xf32>
  %6 = sdy.sharding_constraint %runs <@mesh, [{}, {}, {}]> : tensor<4x64x16xf32>
  %7 = stablehlo.negate %6 : tensor<4x64x16xf32>
  return %1, %3, %5, %7 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<1x4096xf32>, tensor<4x64x16xf32>
}
