// Another mesh on the command line must fit the shardings that stay.

// RUN: (tess report %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess lint %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess diff %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess explain %s a --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess explain %s --collective 0 --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess shard %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess partition %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess run %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess verify %s --mesh z=4; echo status $?) 2>&1 | FileCheck %s
// CHECK: error[E0214]: unknown axis "x"
// CHECK: status 1

// RUN: tess shard %s --mesh z=4 --arg '0=[{"z"}, {}]' | FileCheck %s --check-prefix=GOOD
// GOOD: <["z"=4]>
// GOOD: [{"z"}, {}]

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
