// From one axis to another of another size, a part of the larger one goes first: half of a block is
// exchanged, and blocks are permuted, rather than gathering a dimension.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_gather
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 1 comparison agrees on 8 devices

// CHECK: all_to_all{{.*}} : (tensor<4x4xf32>) -> tensor<2x8xf32>
// CHECK: collective_permute{{.*}} : (tensor<2x8xf32>) -> tensor<2x8xf32>

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  return %a : tensor<8x16xf32>
}
