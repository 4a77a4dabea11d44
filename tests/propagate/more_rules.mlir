// Operations that Shardy's registry does not know stop its passes, but not `tess shard`: XLA has
// rewritten them to element-wise ones before Shardy sees a program of JAX.  The result of the sort
// inside a top_k follows its leading dimensions.
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// RUN: tess opt %s --sdy-user-priority-propagate=more-rules=true | FileCheck %s --check-prefix=SHARD
// RUN: tess opt %s --sdy-user-priority-propagate | FileCheck %s --check-prefix=SDY
// RUN: tess explain %s e | FileCheck %s --check-prefix=EXPLAIN

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x16xf32>, tensor<8x3xf32>) {
  %e = chlo.erf %a : tensor<8x16xf32> -> tensor<8x16xf32>
  %k, %i = chlo.top_k(%a, k = 3) : tensor<8x16xf32> -> (tensor<8x3xf32>, tensor<8x3xi32>)
  return %e, %k : tensor<8x16xf32>, tensor<8x3xf32>
}

// SHARD: chlo.erf %{{.*}}<@mesh, [{"x"{{.*}}}, {"y"{{.*}}}]>
// SHARD: chlo.top_k{{.*}}[<@mesh, [{"x"{{.*}}}, {{.*}}]>
// SDY: chlo.erf %arg0 : tensor
// SDY: chlo.top_k(%arg0, k = 3) : tensor
// EXPLAIN: over "x"
// EXPLAIN: %a dim 0: annotated in the program
