// RUN: tess convert --to-hlo %s | FileCheck %s
// Groups that the axes of a mesh tell are written out; a product of matrices says what it sums over.

sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK: ENTRY %main
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // CHECK: [[DOT:%dot.*]] = f32[2,4]{1,0} dot(%{{.*}}, %{{.*}}), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: all-reduce([[DOT]]), channel_id=1, replica_groups={{[{][{]}}0,4},{1,5},{2,6},{3,7}}, use_global_device_ids=true
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
