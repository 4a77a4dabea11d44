// 14 rows in blocks of 4 are not parts of blocks of 7: two blocks are put together, and a row comes
// from the neighbour; nobody gathers the whole.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 2 comparisons agree

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func public @main
// CHECK: "stablehlo.collective_permute"{{.*}}(tensor<1x8192xf32>) -> tensor<1x8192xf32>
// CHECK: "stablehlo.all_gather"{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK: "stablehlo.collective_permute"{{.*}}(tensor<1x8192xf32>) -> tensor<1x8192xf32>
// CHECK-NOT: tensor<14x8192xf32>) ->
func.func public @main(
    %a: tensor<14x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<14x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>})
    -> (tensor<14x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>},
        tensor<14x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.negate %a : tensor<14x8192xf32>
  %1 = stablehlo.negate %b : tensor<14x8192xf32>
  return %0, %1 : tensor<14x8192xf32>, tensor<14x8192xf32>
}
