// RUN: tess eval %s --quiet
// RUN: tess opt %s -sdy-inline-meshes > %t.mlir
// RUN: tess eval %t.mlir --quiet
// RUN: FileCheck %s < %t.mlir
// CHECK: replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>], device_ids=dense<[2, 3, 0, 1]> : tensor<4xi64>>, axes =
// Groups of a collective as axes of a mesh, whole and in part, device ids permuted.

// Devices 2 and 3 stand at x = 0, 0 and 1 at x = 1.
sdy.mesh @swapped = <["x"=2, "y"=2], device_ids=[2, 3, 0, 1]>
sdy.mesh @plain = <["z"=4]>

func.func private @gather(%x: tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @swapped,
        axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<1xi32>) -> tensor<2xi32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @plain,
        axes = [#stablehlo.axis_ref<name = "z",
                sub_axis_info = (2)2>]>}>
      : (tensor<1xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

func.func @main() {
  %a = stablehlo.constant dense<10> : tensor<1xi32>
  %b = stablehlo.constant dense<11> : tensor<1xi32>
  %c = stablehlo.constant dense<12> : tensor<1xi32>
  %d = stablehlo.constant dense<13> : tensor<1xi32>
  %0:8 = "interpreter.run_parallel"(%a, %b, %c, %d)
      {programs = [[@gather, @gather, @gather, @gather]]}
    : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
        tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[12, 10]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[10, 11]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<[13, 11]> : tensor<2xi32>
  check.expect_eq_const %0#3, dense<[10, 11]> : tensor<2xi32>
  check.expect_eq_const %0#4, dense<[12, 10]> : tensor<2xi32>
  check.expect_eq_const %0#5, dense<[12, 13]> : tensor<2xi32>
  check.expect_eq_const %0#6, dense<[13, 11]> : tensor<2xi32>
  check.expect_eq_const %0#7, dense<[12, 13]> : tensor<2xi32>
  return
}
