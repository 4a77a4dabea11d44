// Sub-axes of one axis that cannot exist beside each other: the way goes by what both begin
// with.  Shardy makes an all_slice with overlapping sub-axes of it.
// RUN: tess opt %s -sdy-reshard-to-collectives | FileCheck %s

// CHECK: %0 = sdy.all_gather [{"a":(1)2}, {}] %arg0 out_sharding=<@mesh, [{}, {}]>
// CHECK-NEXT: %1 = sdy.all_slice [{"a":(1)3}, {}] %0 out_sharding=<@mesh, [{"a":(1)3}, {}]>
// CHECK-NEXT: return %1
sdy.mesh @mesh = <["a"=6]>
func.func @main(%arg0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}, {}]>}) -> tensor<12x12xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)3}, {}]> : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
