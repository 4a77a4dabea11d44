// What few programs have goes through an artifact: the defaults that VHLO spells out, groups that are a
// part of an axis, types of buffers, futures and witnesses.
// RUN: tess opt %s > %t
// RUN: tess convert %t -o %t.bc && tess opt %t.bc | diff %t -
// RUN: FileCheck %s < %t
// CHECK: batch_group_count = 1
// CHECK: @buffers(memref<4xf32>, !stablehlo.future<tensor<2xf32>>, !shape.witness)
module {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @window(%arg0: tensor<1x8x8x1xf32>, %arg1: tensor<3x3x1x1xf32>) -> tensor<1x6x6x1xf32> {
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x6x6x1xf32>
    return %0 : tensor<1x6x6x1xf32>
  }
  func.func @groups(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @buffers(memref<4xf32>, !stablehlo.future<tensor<2xf32>>, !shape.witness)
}
