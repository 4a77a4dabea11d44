// A private mesh that only shardings name stays, wherever it is declared; what nothing live names
// goes.
// RUN: tess opt %s -symbol-dce -split-input-file | FileCheck %s
// RUN: tess opt %s -split-input-file -sdy-propagation-pipeline | FileCheck %s --check-prefix=SPREAD

// CHECK-DAG: sdy.mesh @of_argument =
// CHECK-DAG: sdy.mesh @of_result =
// CHECK-DAG: sdy.mesh @of_value =
// CHECK-DAG: sdy.mesh @of_constraint =
// CHECK-DAG: sdy.mesh @of_manual =
// CHECK-DAG: sdy.mesh @of_declaration =
// CHECK-DAG: sdy.mesh @of_attribute =
// CHECK-DAG: sdy.mesh @of_groups =
// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func.func private @declared(
sdy.mesh @of_argument = <["x"=2]> {sym_visibility = "private"}
sdy.mesh @of_result = <["x"=2, "y"=2]> {sym_visibility = "private"}
sdy.mesh @of_value = <["x"=2, "y"=3]> {sym_visibility = "private"}
sdy.mesh @of_constraint = <["x"=2, "y"=4]> {sym_visibility = "private"}
sdy.mesh @of_manual = <["x"=2, "y"=5]> {sym_visibility = "nested"}
sdy.mesh @of_declaration = <["x"=2, "y"=6]> {sym_visibility = "private"}
sdy.mesh @of_attribute = <["x"=2, "y"=7]> {sym_visibility = "private"}
sdy.mesh @of_groups = <["x"=2, "y"=8]> {sym_visibility = "private"}
sdy.mesh @of_nothing = <["x"=2, "y"=9]> {sym_visibility = "private"}
sdy.mesh @of_dead = <["x"=2, "y"=10]> {sym_visibility = "private"}
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@of_declaration, [{"x"}]>}) -> tensor<8xf32>
func.func private @dead(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@of_dead, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@of_argument, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@of_result, [{"x"}]>}) {
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@of_value, [{"x"}]>]>} : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@of_constraint, [{}]> : tensor<8xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<@of_manual, [{}]>] out_shardings=[<@of_manual, [{}]>] manual_axes={} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.abs %3 {others = [#sdy.sharding<@of_attribute, [{"x"}]>]} : tensor<8xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @of_groups, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<16xf32>
  return %3 : tensor<8xf32>
}

// -----

// As jax.export writes a program that another one calls.
// SPREAD: sdy.mesh @mesh = <["x"=2]> {{.*}}sym_visibility = "private"
// SPREAD-NEXT: func.func @exported(
// SPREAD-NEXT: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
func.func @exported(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
sdy.mesh @mesh = <["x"=2]> {sym_visibility = "private"}
