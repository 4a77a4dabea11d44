// Which meshes one manual computation can have.
// RUN: tess partition --wrap shard_map %S/Inputs/wrap_order.mlir | FileCheck %s --check-prefix=ORDER
// ORDER: sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>
// ORDER: in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"x", "y"}
// RUN: tess partition --wrap shard_map %S/Inputs/wrap_copies.mlir | FileCheck %s --check-prefix=COPIES
// COPIES: sdy.mesh @mesh = <["devices_2"=2, "x"=2]>
// COPIES: out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"devices_2", "x"}]>]
// RUN: tess partition --wrap shard_map %S/Inputs/wrap_none.mlir | FileCheck %s --check-prefix=NONE
// NONE: sdy.mesh @mesh = <["devices"=1]>
// NONE: manual_axes={"devices"}
// RUN: tess partition --wrap shard_map %S/Inputs/wrap_terms.mlir | FileCheck %s --check-prefix=TERMS
// TERMS: in_shardings=[<@mesh, [{}], unreduced={"x"}>] out_shardings=[<@mesh, [{}], unreduced={"x"}>]
// RUN: (tess partition --wrap shard_map %S/Inputs/wrap_orders.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=ORDERS
// ORDERS: wrap_orders.mlir:3:1: error[E0610]: arguments and results of @main are sharded over meshes whose devices are in different orders; one manual computation has one mesh: shard them over the same axes
// ORDERS: status 1
// RUN: (tess partition --wrap shard_map %S/Inputs/wrap_chain.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=CHAIN
// CHAIN: error[E0610]: arguments and results of @main are sharded over axes of which none refines both;
// RUN: (tess partition --wrap shard_map --devices replicas %S/Inputs/wrap_order.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: --wrap shard_map and --devices replicas exclude each other
// USAGE: status 2
// RUN: (tess partition --wrap all %S/Inputs/wrap_order.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: --wrap all: expected none or shard_map
// RUN: (tess partition --devices cores %S/Inputs/wrap_order.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=CORES
// CORES: --devices cores: expected partitions or replicas
