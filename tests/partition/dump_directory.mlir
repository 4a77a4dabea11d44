// The export pipeline writes the program between its parts into files, which are programs themselves.
// RUN: rm -rf %t && mkdir %t && tess opt %s '--sdy-export-pipeline=enable-insert-explicit-collectives=true module-dump-directory=%t' >%t.out
// RUN: tess opt %t/sdy_module_0_after_propagation.mlir | FileCheck %s --check-prefix=BEFORE
// BEFORE: sdy.reshard %arg0
// RUN: tess opt %t/sdy_module_2_after_partitioner_with_global_shapes.mlir | FileCheck %s
// CHECK-NOT: sdy.reshard
// CHECK: sdy.all_gather [{"x"}] %arg0
// RUN: (! tess opt %s --sdy-export-pipeline=module-dump-directory=%t/missing 2>&1) | FileCheck %s --check-prefix=ERROR
// ERROR: error[E{{[0-9]+}}]: {{.*}}missing/sdy_module_0_after_propagation.mlir cannot be written
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  return %1 : tensor<8xf32>
}
