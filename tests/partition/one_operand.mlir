// In what is printed each collective has one operand, those of the program as well: XLA reads an
// all_to_all of several operands as another operation.  Values without elements are constants:
// StableHLO refuses to gather them along an empty dimension.
// RUN: tess partition %s | FileCheck %s --implicit-check-not=all_gather
// RUN: tess partition %s -o %t.mlir
// RUN: tess partition --merge %s | FileCheck %s --check-prefix=MERGED
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// RUN: tess verify %s --partitioned %t.mlir | FileCheck %s --check-prefix=AGREE
// RUN: tess report %s --json | FileCheck %s --check-prefix=REPORT
// AGREE: 9 comparisons agree on 2 devices
// REPORT: "collectives": 5
// REPORT: "merged_collectives": 4

// CHECK: "stablehlo.all_to_all"(%arg0)
// CHECK: "stablehlo.all_to_all"(%arg1)
// CHECK: "stablehlo.all_reduce"(%arg0)
// CHECK: stablehlo.maximum
// CHECK: "stablehlo.all_reduce"(%arg2)
// CHECK: stablehlo.maximum
// CHECK: %[[ROOT:.*]] = stablehlo.slice %{{.*}} [0:1]
// CHECK: "stablehlo.collective_broadcast"(%arg0, %[[ROOT]])
// CHECK: %[[ROOT:.*]] = stablehlo.slice %{{.*}} [1:2]
// CHECK: "stablehlo.collective_broadcast"(%arg1, %[[ROOT]])
// CHECK: stablehlo.constant dense<> : tensor<0x4xf32>
// CHECK: stablehlo.constant dense<> : tensor<4x0xf32>
// CHECK: "stablehlo.all_gather"({{.*}} : (tensor<2xf32>) -> tensor<4xf32>

// MERGED: "stablehlo.all_to_all"(%arg0, %arg1)
// MERGED: "stablehlo.all_reduce"(%arg0, %arg2)
// MERGED: "stablehlo.collective_broadcast"(%arg0, %arg1, %{{.*}})

sdy.mesh @mesh = <["x"=2]>
func.func @main(
    %a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
    %d: tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %e: tensor<4x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<6xf32>, tensor<4x2xf32>, tensor<4x2xf32>,
        tensor<0x4xf32>, tensor<4x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0:8 = sdy.manual_computation(%a, %b, %c, %d)
      in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {"x"}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>]
      manual_axes={"x"} (%x: tensor<2x2xf32>, %y: tensor<2x2xf32>, %z: tensor<6xf32>, %n: tensor<0x2xf32>) {
    %1 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = "stablehlo.all_to_all"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3:2 = "stablehlo.all_reduce"(%x, %z) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %m = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<2x2xf32>, tensor<6xf32>) -> (tensor<2x2xf32>, tensor<6xf32>)
    %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %4:2 = "stablehlo.collective_broadcast"(%x, %y, %roots) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    %5 = "stablehlo.all_gather"(%n) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<0x2xf32>) -> tensor<0x4xf32>
    sdy.return %1, %2, %3#0, %3#1, %4#0, %4#1, %5, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<6xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<0x4xf32>, tensor<6xf32>
  } : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<6xf32>, tensor<0x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<6xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<0x4xf32>, tensor<6xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %e, %6 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<6xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<0x4xf32>, tensor<4x0xf32>, tensor<4xf32>
}
