// RUN: tess opt %s -split-input-file --sdy-reshard-to-collectives | FileCheck %s
// Reshards by every kind of collective, as Shardy chooses them.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "d"}, {"b"}, {"c":(2)2}]>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{"c":(1)2}, {}, {}] %arg0 out_sharding=<@mesh, [{"a", "d", "c":(1)2}, {"b"}, {"c":(2)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"d", "c"}, {"b"}, {"a"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"d", "c"}: 0->1] %1 out_sharding=<@mesh, [{}, {"b", "d", "c"}, {"a"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %2 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "d"}, {"b"}, {"c":(2)2}]>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"b", "d", "c"}, {"a"}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c":(1)2}, {"a", "b"}]>}) -> tensor<96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{}, {"c":(2)2}] %arg0 out_sharding=<@mesh, [{"d", "c":(1)2}, {"a", "b", "c":(2)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"d", "c":(2)2}, {"a", "c":(1)2, "b"}]> : tensor<96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"d", "c":(2)2}: 0->1] %1 out_sharding=<@mesh, [{}, {"a", "c":(1)2, "b", "d", "c":(2)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{}, {"a", "d", "c":(2)2, "b", "c":(1)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %4 = sdy.all_gather [{}, {"c":(1)2}] %3 out_sharding=<@mesh, [{}, {"a", "d", "c":(2)2, "b"}]> : tensor<96x96xf32>
// CHECK-NEXT: return %4 : tensor<96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c":(1)2}, {"a", "b"}]>}) -> tensor<96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"a", "d", "c":(2)2, "b"}]> : tensor<96x96xf32>
  return %0 : tensor<96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c"}, {}, {"b"}]>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{}, {"a"}, {}] %arg0 out_sharding=<@mesh, [{"d", "c"}, {"a"}, {"b"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"a", "d", "c":(2)2}, {"c":(1)2}, {"b"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"c":(2)2}: 0->2] %1 out_sharding=<@mesh, [{"a", "d"}, {"c":(1)2}, {"b", "c":(2)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %3 = sdy.all_to_all [{"d"}: 0->1] %2 out_sharding=<@mesh, [{"a"}, {"c":(1)2, "d"}, {"b", "c":(2)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %3 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c"}, {}, {"b"}]>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}, {"c":(1)2, "d"}, {"b", "c":(2)2}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"c", "b"}, {}]>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{"a"}, {}, {}] %arg0 out_sharding=<@mesh, [{"d", "a"}, {"c", "b"}, {}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"a", "d"}, {"c", "b"}, {}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"b"}: 1->2] %1 out_sharding=<@mesh, [{"a", "d"}, {"c"}, {"b"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %3 = sdy.all_to_all [{"c"}: 1->0] %2 out_sharding=<@mesh, [{"a", "d", "c"}, {}, {"b"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %4 = sdy.collective_permute %3 out_sharding=<@mesh, [{"a", "c", "d"}, {}, {"b"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %5 = sdy.all_to_all [{"d"}: 0->2] %4 out_sharding=<@mesh, [{"a", "c"}, {}, {"b", "d"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %5 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"c", "b"}, {}]>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a", "c"}, {}, {"b", "d"}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c"}]>}) -> tensor<96xf32> {
// CHECK-NEXT: %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"a", "b", "d"}]> : tensor<96xf32>
// CHECK-NEXT: %1 = sdy.all_gather [{"d"}] %0 out_sharding=<@mesh, [{"a", "b"}]> : tensor<96xf32>
// CHECK-NEXT: return %1 : tensor<96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d", "c"}]>}) -> tensor<96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"a", "b"}]> : tensor<96xf32>
  return %0 : tensor<96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{"d", "c":(1)2}] %arg0 out_sharding=<@mesh, [{"a", "d", "c":(1)2}]> : tensor<96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"d", "c"}]> : tensor<96xf32>
// CHECK-NEXT: return %1 : tensor<96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"d", "c"}]> : tensor<96xf32>
  return %0 : tensor<96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"c"}]>}) -> tensor<96x96xf32> {
// CHECK-NEXT: %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"c":(1)2}, {"c":(2)2, "b"}]> : tensor<96x96xf32>
// CHECK-NEXT: %1 = sdy.all_to_all [{"c":(2)2, "b"}: 1->0] %0 out_sharding=<@mesh, [{"c", "b"}, {}]> : tensor<96x96xf32>
// CHECK-NEXT: return %1 : tensor<96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"c"}]>}) -> tensor<96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"c", "b"}, {}]> : tensor<96x96xf32>
  return %0 : tensor<96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}, {}]>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{"d"}, {"b"}, {}] %arg0 out_sharding=<@mesh, [{"c", "d"}, {"b"}, {}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"d", "c":(2)2, "c":(1)2}, {"b"}, {}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"c":(1)2}: 0->2] %1 out_sharding=<@mesh, [{"d", "c":(2)2}, {"b"}, {"c":(1)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %3 = sdy.all_gather [{"c":(2)2}, {}, {}] %2 out_sharding=<@mesh, [{"d"}, {"b"}, {"c":(1)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %3 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}, {}]>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"d"}, {"b"}, {"c":(1)2}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}, {"d"}]>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b", "c":(1)2}, {"a", "c":(2)2}, {"d"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.all_to_all [{"c":(1)2}: 0->2] %0 out_sharding=<@mesh, [{"b"}, {"a", "c":(2)2}, {"d", "c":(1)2}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"c":(2)2}: 1->2] %1 out_sharding=<@mesh, [{"b"}, {"a"}, {"d", "c"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{"b"}, {"a"}, {"c", "d"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %3 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}, {"d"}]>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"b"}, {"a"}, {"c", "d"}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d", "b"}, {}], unreduced={"a", "c"}>}) -> tensor<96x96x96xf32> {
// CHECK-NEXT: %0 = sdy.all_slice [{}, {}, {"c", "a"}] %arg0 out_sharding=<@mesh, [{}, {"d", "b"}, {"c", "a"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{}, {"b", "d"}, {"c", "a"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"d"}: 1->2] %1 out_sharding=<@mesh, [{}, {"b"}, {"c", "a", "d"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %3 = sdy.all_to_all [{"b"}: 1->0] %2 out_sharding=<@mesh, [{"b"}, {}, {"c", "a", "d"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: %4 = sdy.collective_permute %3 out_sharding=<@mesh, [{"b"}, {}, {"c", "d", "a"}]> : tensor<96x96x96xf32>
// CHECK-NEXT: return %4 : tensor<96x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d", "b"}, {}], unreduced={"a", "c"}>}) -> tensor<96x96x96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"b"}, {}, {"c", "d", "a"}]> : tensor<96x96x96xf32>
  return %0 : tensor<96x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c":(2)2, "a", "d"}]>}) -> tensor<96xf32> {
// CHECK-NEXT: %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"c", "d", "b"}]> : tensor<96xf32>
// CHECK-NEXT: %1 = sdy.all_gather [{"d", "b"}] %0 out_sharding=<@mesh, [{"c"}]> : tensor<96xf32>
// CHECK-NEXT: return %1 : tensor<96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c":(2)2, "a", "d"}]>}) -> tensor<96xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"c"}]> : tensor<96xf32>
  return %0 : tensor<96xf32>
}
