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

// A sharding in full is about the mesh that it names, or brings.
// RUN: (tess shard %s --arg '0=<@other, [{"x"}, {}]>'; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: argument:1:2: error[E0210]: unknown mesh @other
// UNKNOWN: status 1
// RUN: tess shard %s --arg '0=#sdy.sharding<mesh<["z"=4]>, [{"z"}, {}]>' | FileCheck %s --check-prefix=BRINGS
// BRINGS: sdy.mesh @[[OWN:mesh_.*]] = <["z"=4]>
// BRINGS: sdy.sharding = #sdy.sharding<@[[OWN]], [{"z"}, {}]>
// RUN: (tess shard %s --arg '18446744073709551616=[{}, {}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: expected a number, '=' and a sharding
// RUN: (tess explain %s nope; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOPE
// NOPE: there is no value 'nope' in @main; name one as the text does, or arg:0, arg:1, … and result:0, result:1, … for what it takes and returns

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
