// RUN: tess opt %s -split-input-file --sdy-insert-explicit-reshards | FileCheck %s
// Operations that are resharded by their sharding rule alone.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"d", "c"}]>}, %arg1: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, "d"}, {"c":(2)2}]>}) -> tensor<192x96xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{}, {"a", "d", "b", "c":(1)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %1 = sdy.reshard %arg1 <@mesh, [{}, {"a", "d", "b", "c":(1)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a", "d", "b", "c":(1)2}]>]>} : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<192x96xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{"c":(1)2}, {"a", "d", "b"}]> : tensor<192x96xf32>
// CHECK-NEXT: return %3 : tensor<192x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"d", "c"}]>}, %arg1: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, "d"}, {"c":(2)2}]>}) -> tensor<192x96xf32> {
  %r = stablehlo.concatenate %arg0, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c":(1)2}, {"a", "d", "b"}]>]>} : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<192x96xf32>
  return %r : tensor<192x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c", "d"}, {"b"}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"c"}]>}) -> tensor<96x24xf32> {
// CHECK-NEXT: %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c"}, {}], unreduced={"a", "b", "d"}>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
// CHECK-NEXT: %1 = sdy.all_reduce {"a", "b", "d"} %0 out_sharding=<@mesh, [{"c"}, {}]> : tensor<96x24xf32>
// CHECK-NEXT: return %1 : tensor<96x24xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c", "d"}, {"b"}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"c"}]>}) -> tensor<96x24xf32> {
  %r = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c"}, {}], unreduced={"a", "b", "d"}>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
  return %r : tensor<96x24xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x48x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"d"}]>}) -> tensor<48xf32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"b"}>]>} : (tensor<96x48x24xf32>, tensor<f32>) -> tensor<48xf32>
// CHECK-NEXT: %1 = sdy.all_reduce {"a", "d"} %0 out_sharding=<@mesh, [{}], unreduced={"b"}> : tensor<48xf32>
// CHECK-NEXT: %2 = sdy.all_reduce {"b"} %1 out_sharding=<@mesh, [{}]> : tensor<48xf32>
// CHECK-NEXT: return %2 : tensor<48xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x48x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"d"}]>}) -> tensor<48xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"b"}>]>} : (tensor<96x48x24xf32>, tensor<f32>) -> tensor<48xf32>
  return %r : tensor<48xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<48x96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"b"}]>}, %arg1: tensor<48x24x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}, {}]>}) -> tensor<48x96x96xf32> {
// CHECK-NEXT: %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "a", "d"}, {"c":(1)2}, {}]>]>} : (tensor<48x96x24xf32>, tensor<48x24x96xf32>) -> tensor<48x96x96xf32>
// CHECK-NEXT: return %0 : tensor<48x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<48x96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"b"}]>}, %arg1: tensor<48x24x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}, {}]>}) -> tensor<48x96x96xf32> {
  %r = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "a", "d"}, {"c":(1)2}, {}]>]>} : (tensor<48x96x24xf32>, tensor<48x24x96xf32>) -> tensor<48x96x96xf32>
  return %r : tensor<48x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"b", "c":(1)2, "a"}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}) -> tensor<96x24xf32> {
// CHECK-NEXT: %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
// CHECK-NEXT: return %0 : tensor<96x24xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"b", "c":(1)2, "a"}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>}) -> tensor<96x24xf32> {
  %r = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
  return %r : tensor<96x24xf32>
}
