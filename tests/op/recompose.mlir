// Composites that stand for operations of CHLO, as portable artifacts of JAX have them, become these
// before shardings are propagated: of erf all dimensions pass, of top_k those that it does not search.
// RUN: tess opt %s -chlo-recompose-ops | FileCheck %s
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// RUN: tess verify %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func @main(
// SHARD-LABEL: func.func @main(
func.func @main(%x: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<16x5xf32>, tensor<16x5xi32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) {
  // CHECK: chlo.top_k(%{{.*}}, k = 5, is_stable = true) {mhlo.frontend_attributes = {a = "b"}} : tensor<16x32xf32> -> (tensor<16x5xf32>, tensor<16x5xi32>)
  // SHARD: chlo.top_k(%{{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {is_stable = true, k = 5 : i64}, decomposition = @chlo.top_k.impl, mhlo.frontend_attributes = {a = "b"}, version = 1 : i32} : (tensor<16x32xf32>) -> (tensor<16x5xf32>, tensor<16x5xi32>)
  // CHECK: chlo.erf %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {?}]>]>} : tensor<16x32xf32> -> tensor<16x32xf32>
  %1 = stablehlo.composite "chlo.erf" %x {decomposition = @erf.impl, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {?}]>]>, version = 1 : i32} : (tensor<16x32xf32>) -> tensor<16x32xf32>
  // What the attributes of another version mean is not known, and other names are anybody's.
  // CHECK: stablehlo.composite "chlo.erf"
  // CHECK: stablehlo.composite "my.erf"
  %2 = stablehlo.composite "chlo.erf" %x {decomposition = @erf.impl, version = 2 : i32} : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %3 = stablehlo.composite "my.erf" %x {decomposition = @erf.impl, version = 1 : i32} : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0#0, %0#1, %1, %2, %3 : tensor<16x5xf32>, tensor<16x5xi32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
}
func.func private @erf.impl(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = chlo.erf %x : tensor<16x32xf32> -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
func.func private @chlo.top_k.impl(%x: tensor<16x32xf32>) -> (tensor<16x5xf32>, tensor<16x5xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<16x32xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %4 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<16x32xf32>, tensor<16x32xi32>) -> (tensor<16x32xf32>, tensor<16x32xi32>)
  %2 = stablehlo.slice %1#0 [0:16, 0:5] : (tensor<16x32xf32>) -> tensor<16x5xf32>
  %3 = stablehlo.slice %1#1 [0:16, 0:5] : (tensor<16x32xi32>) -> tensor<16x5xi32>
  return %2, %3 : tensor<16x5xf32>, tensor<16x5xi32>
}
