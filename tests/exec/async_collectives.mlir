// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// RUN: tess eval %s --function check --quiet
// RUN: tess partition %s | FileCheck %s
// RUN: tess report %s | FileCheck %s --check-prefix=REPORT
// JAX's asynchronous collectives are the collectives that they start, of all five kinds.

// VERIFY: 5 comparisons agree on 2 devices
// REPORT: 5 collectives

sdy.mesh @mesh = <["i"=2]>
func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
// CHECK: stablehlo.all_reduce
// CHECK-SAME: handle = 1, type = 1
// CHECK-SAME: replica_groups = dense<{{\[\[}}0, 1]]>
// CHECK-SAME: use_global_device_ids
// CHECK: stablehlo.all_gather
// CHECK-SAME: all_gather_dim = 0
// CHECK: stablehlo.reduce_scatter
// CHECK-SAME: scatter_dimension = 0
// CHECK: stablehlo.all_to_all
// CHECK-SAME: concat_dimension = 0
// CHECK-SAME: split_count = 2
// CHECK-SAME: split_dimension = 1
// CHECK: stablehlo.collective_permute
// CHECK-SAME: source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]>
// CHECK-NOT: custom_call
func.func @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}]>}) -> (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:5 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"i"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"i"}, {}]>, <@mesh, [{}, {"i"}]>, <@mesh, [{"i"}, {}]>] manual_axes={"i"} (%a: tensor<2x4xf32>) {
    %sums = stablehlo.custom_call @"all-reduce-start"(%a) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %sum = stablehlo.custom_call @"all-reduce-done"(%sums) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %alls = stablehlo.custom_call @"all-gather-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22all_gather_dimension\22: 0, \22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %all = stablehlo.custom_call @"all-gather-done"(%alls) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %parts = stablehlo.custom_call @"reduce-scatter-start"(%all) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22scatter_dimension\22: 0, \22tiled\22: true, \22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %part = stablehlo.custom_call @"reduce-scatter-done"(%parts) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %swappeds = stablehlo.custom_call @"all-to-all-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22split_dimension\22: 1, \22concat_dimension\22: 0, \22split_count\22: 2, \22replica_groups\22: [[0, 1]], \22channel_id\22: 1}"}} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %swapped = stablehlo.custom_call @"all-to-all-done"(%swappeds) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %turneds = stablehlo.custom_call @"collective-permute-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22permutation\22: [[0, 1], [1, 0]], \22channel_id\22: 1}"}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %turned = stablehlo.custom_call @"collective-permute-done"(%turneds) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    sdy.return %sum, %all, %part, %swapped, %turned : tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// The values themselves, on two devices: each has its number and 10 more.
func.func @device() -> (tensor<2xui32>, tensor<4xui32>, tensor<1xui32>, tensor<2xui32>, tensor<2xui32>) {
  %id = stablehlo.partition_id : tensor<ui32>
  %b = stablehlo.broadcast_in_dim %id, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %i = stablehlo.constant dense<[0, 10]> : tensor<2xui32>
  %a = stablehlo.add %b, %i : tensor<2xui32>
  %sums = stablehlo.custom_call @"all-reduce-start"(%a) {called_computations = [@most], mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<2xui32>) -> tensor<2xui32>
  %sum = stablehlo.custom_call @"all-reduce-done"(%sums) : (tensor<2xui32>) -> tensor<2xui32>
  %alls = stablehlo.custom_call @"all-gather-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22all_gather_dimension\22: 0, \22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<2xui32>) -> tensor<4xui32>
  %all = stablehlo.custom_call @"all-gather-done"(%alls) : (tensor<4xui32>) -> tensor<4xui32>
  %parts = stablehlo.custom_call @"reduce-scatter-start"(%a) {called_computations = [@most], mhlo.frontend_attributes = {async_collective_config = "{\22scatter_dimension\22: 0, \22tiled\22: true, \22replica_groups\22: [[0, 1]], \22use_global_device_ids\22: true, \22channel_id\22: 1}"}} : (tensor<2xui32>) -> tensor<1xui32>
  %part = stablehlo.custom_call @"reduce-scatter-done"(%parts) : (tensor<1xui32>) -> tensor<1xui32>
  %swappeds = stablehlo.custom_call @"all-to-all-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22split_dimension\22: 0, \22concat_dimension\22: 0, \22split_count\22: 2, \22replica_groups\22: [[0, 1]], \22channel_id\22: 1}"}} : (tensor<2xui32>) -> tensor<2xui32>
  %swapped = stablehlo.custom_call @"all-to-all-done"(%swappeds) : (tensor<2xui32>) -> tensor<2xui32>
  %turneds = stablehlo.custom_call @"collective-permute-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22permutation\22: [[0, 1], [1, 0]], \22channel_id\22: 1}"}} : (tensor<2xui32>) -> tensor<2xui32>
  %turned = stablehlo.custom_call @"collective-permute-done"(%turneds) : (tensor<2xui32>) -> tensor<2xui32>
  return %sum, %all, %part, %swapped, %turned : tensor<2xui32>, tensor<4xui32>, tensor<1xui32>, tensor<2xui32>, tensor<2xui32>
}
func.func private @most(%x: tensor<ui32>, %y: tensor<ui32>) -> tensor<ui32> {
  %0 = stablehlo.maximum %x, %y : tensor<ui32>
  return %0 : tensor<ui32>
}
func.func @check() {
  %r:10 = "interpreter.run_parallel"() <{programs = [[@device, @device]]}> : () -> (tensor<2xui32>, tensor<4xui32>, tensor<1xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<4xui32>, tensor<1xui32>, tensor<2xui32>, tensor<2xui32>)
  check.expect_eq_const %r#0, dense<[1, 11]> : tensor<2xui32>
  check.expect_eq_const %r#1, dense<[0, 10, 1, 11]> : tensor<4xui32>
  check.expect_eq_const %r#2, dense<1> : tensor<1xui32>
  check.expect_eq_const %r#3, dense<[0, 1]> : tensor<2xui32>
  check.expect_eq_const %r#4, dense<[1, 11]> : tensor<2xui32>
  check.expect_eq_const %r#7, dense<11> : tensor<1xui32>
  check.expect_eq_const %r#8, dense<[10, 11]> : tensor<2xui32>
  check.expect_eq_const %r#9, dense<[0, 10]> : tensor<2xui32>
  return
}
