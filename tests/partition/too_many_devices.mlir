// Groups of collectives name every device, so that there is a limit. Propagation knows none.
// RUN: (! tess partition %s 2>&1) | FileCheck %s
// RUN: (! tess report %s 2>&1) | FileCheck %s
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// CHECK: [[#@LINE+1]]:1: error[E0601]: a program for 2147483648 devices; it is partitioned for at most 16777216
sdy.mesh @mesh = <["x"=2147483648]>
// SHARD: stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.tanh %a : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
