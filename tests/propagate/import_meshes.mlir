// Equal meshes get one name, wherever they are written; axes of size one vanish from shardings.
// RUN: tess opt %s -sdy-lift-inlined-meshes -sdy-remove-size-one-axes -split-input-file | FileCheck %s

// CHECK: sdy.mesh @first = <["x"=2, "one"=1]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "one", size = 1 : i64}]}}
// CHECK-LABEL: func.func @equal(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@first, [{"x"}, {}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@first, [{"x", ?}]>}) -> tensor<8x8xf32> {
// CHECK-NEXT: return %arg0 : tensor<8x8xf32>
// A second mesh that equals the first, and one written into a sharding.
sdy.mesh @first = <["x"=2, "one"=1]>
sdy.mesh @again = <["x"=2, "one"=1]>
func.func @equal(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@again, [{"x"}, {"one"}p1]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "one"=1]>, [{"x", ?}], replicated={"one"}>}) -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}

// -----

// CHECK: sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
// CHECK-NEXT: sdy.mesh @mesh_0 = <["y"=4]> {stablehlo.mesh = {axes = [{name = "y", size = 4 : i64}]}}
// CHECK-NEXT: sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]> {stablehlo.mesh = {axes = [], device_ids = dense<3> : tensor<1xi64>}}
// CHECK-NEXT: sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
// CHECK-NEXT: sdy.mesh @mesh_1 = <["y"=4], device_ids=[3, 2, 1, 0]> {stablehlo.mesh = {axes = [{name = "y", size = 4 : i64}], device_ids = dense<[3, 2, 1, 0]> : tensor<4xi64>}}
// CHECK-LABEL: func.func @new(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, []>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_1, [{"y"}]>}) {
// CHECK-NEXT: %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
// CHECK-NEXT: return %0 : tensor<8xf32>
// New meshes come behind the last one and get names of their kind.
sdy.mesh @mesh = <["x"=2]>
func.func @new(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=4]>, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[3]>, []>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=4], device_ids=[3, 2, 1, 0]>, [{"y"}]>}) {
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What an axis of size one stood between is one sub-axis then, or an axis.
// CHECK-LABEL: func.func @between(
// CHECK-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)4, ?}p1, {}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
sdy.mesh @mesh = <["one"=1, "x"=8]>
func.func @between(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, "one", "x":(4)2, ?}p1, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(1)2, "one", "x":(2)4}]>}) -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}

// -----

// So do the meshes in the groups of any collective.
// CHECK-LABEL: func.func @groups(
// CHECK: "stablehlo.collective_reduce"(%arg0) {{.*}}<mesh = @plane, axes = 
sdy.mesh @plane = <["x"=2, "y"=2]>
func.func @groups(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
