// RUN: tess partition %s | FileCheck %s --check-prefix=BYTES
// RUN: printf 'pair like=h100x8 node=2\n' > %t.txt
// RUN: tess partition %s --target %t.txt:pair | FileCheck %s --check-prefix=SECONDS
// RUN: tess report %s --target %t.txt:pair --json > %t.report
// RUN: tess partition %s --target %t.txt:pair -o %t.local && tess report %t.local --target %t.txt:pair --json > %t.same
// RUN: tess partition %s -o %t.bytes && tess report %t.bytes --target %t.txt:pair --json > %t.slower
// RUN: %python %S/seconds.py %t.report %t.same %t.slower | FileCheck %s --check-prefix=TIMES
// RUN: (tess partition %s --target nowhere; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOWHERE
// The operands are split along the contracted dimension, each over another axis: one of them goes to
// where the other is, and 1 MB is summed up over that axis. It is 0.2 MB cheaper to move %a, and then
// the sum goes between nodes; where nodes are of two devices it is faster to move %b.

// BYTES: "stablehlo.collective_permute"(%arg0)
// BYTES: "stablehlo.all_reduce"({{.*}}replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
// SECONDS: "stablehlo.collective_permute"(%arg1)
// SECONDS: "stablehlo.all_reduce"({{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
// TIMES: the report is of the fastest: True
// TIMES: faster than by bytes: True
// NOWHERE: error[E0930]: there is no target 'nowhere'
// NOWHERE: status 2
sdy.mesh @mesh = <["node"=2, "gpu"=2]>
func.func @main(%a: tensor<500x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"gpu"}]>}, %b: tensor<8192x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"node"}, {}]>}) -> (tensor<500x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<500x8192xf32>, tensor<8192x512xf32>) -> tensor<500x512xf32>
  return %0 : tensor<500x512xf32>
}
