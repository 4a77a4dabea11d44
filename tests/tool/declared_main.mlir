// RUN: (tess partition %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess run %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess verify %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess report %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess lint %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess diff %s %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess explain %s arg:0; echo status $?) 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// A @main that is only declared is no function to start with.

// CHECK: declared_main.mlir:1:1: error[E0604]: there is no function to start with: no @main and no public function
// CHECK: status 1
// VALUE: error[E0902]: there is no value 'arg:0' in @main
// VALUE: status
// SHARD: func.func @main(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
