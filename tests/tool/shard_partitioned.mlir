// A program that has sdy collectives already: propagation makes the argument's sharding divide, and the
// all_reduce behind it would be of another one.  No program is printed that cannot be read.
// RUN: (tess shard %s; echo status $?) 2>&1 | FileCheck %s
// CHECK-NOT: module
// CHECK: shard_partitioned.mlir:[[#@LINE+6]]:45: error[E0405]: 'sdy.all_reduce' op changes how dimensions are sharded, from <@mesh, [{"x":(1)2}], unreduced={"z"}> to <@mesh, [{"x"}]>, but must not
// CHECK-NOT: module
// CHECK: status 1

sdy.mesh @mesh = <["x"=4, "z"=2]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"z"}>}) -> tensor<6xf32> {
  %0 = sdy.all_reduce {"z"} %a out_sharding=<@mesh, [{"x"}]> : tensor<6xf32>
  %1 = sdy.all_slice [{"z"}] %0 out_sharding=<@mesh, [{"x", "z"}]> : tensor<6xf32>
  return %1 : tensor<6xf32>
}
