// RUN: (tess partition %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess shard %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess run %s; echo status $?) 2>&1 | FileCheck %s
// RUN: sed 's/@Sharding/@xla.sdy.PropagationBarrier/' %s > %t && (tess partition %t; echo status $?) 2>&1 | FileCheck %s --check-prefix=BARRIER
// A call that is to say something to a partitioner, and does not say what, would be lost.

// CHECK: marks_not_taken.mlir:[[#@LINE+6]]:{{[0-9]+}}: error[E0852]: calling @Sharding is a word to another partitioner, which is not understood here
// CHECK: status 1
// BARRIER: :[[#@LINE+4]]:{{[0-9]+}}: error[E0852]: calling @xla.sdy.PropagationBarrier is a word to another partitioner
// BARRIER: status 1
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
