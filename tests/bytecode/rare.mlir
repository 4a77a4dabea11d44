// What few programs have goes through bytecode: branches between blocks with their successors and
// groups of operands, an exchange of axes, groups that are a part of an axis, a window of defaults.
// RUN: tess opt %s > %t
// RUN: tess convert %t -o %t.mlirbc && tess opt %t.mlirbc | diff %t -
// RUN: tess convert %t -o %t.0.mlirbc --bytecode-version 0 && tess opt %t.0.mlirbc | diff %t -
// RUN: FileCheck %s < %t
// CHECK: cf.cond_br %arg0, ^bb1(%arg1 : tensor<2xf32>), ^bb2(%arg1, %arg1 : tensor<2xf32>, tensor<2xf32>)
// CHECK: sdy.all_to_all [{"x"}: 0->1] %arg0
// CHECK: sub_axis_info = (1)2
module {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @branches(%arg0: i1, %arg1: tensor<2xf32>, %arg2: i32) -> tensor<2xf32> {
    cf.cond_br %arg0, ^bb1(%arg1 : tensor<2xf32>), ^bb2(%arg1, %arg1 : tensor<2xf32>, tensor<2xf32>)
  ^bb1(%0: tensor<2xf32>):  // pred: ^bb0
    cf.br ^bb3(%0 : tensor<2xf32>)
  ^bb2(%1: tensor<2xf32>, %2: tensor<2xf32>):  // pred: ^bb0
    cf.br ^bb3(%1 : tensor<2xf32>)
  ^bb3(%3: tensor<2xf32>):  // 2 preds: ^bb1, ^bb2
    return %3 : tensor<2xf32>
  }
  func.func @exchange(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func @groups(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @window(%arg0: tensor<1x8x8x1xf32>, %arg1: tensor<3x3x1x1xf32>) -> tensor<1x6x6x1xf32> {
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x6x6x1xf32>
    return %0 : tensor<1x6x6x1xf32>
  }
}
