// What keeps a program from being partitioned is said as `tess partition` says it.
//
// RUN: (! tess partition %s 2>&1) | FileCheck %s
// RUN: (! tess plan %s 2>&1) | FileCheck %s --check-prefixes=CHECK,PLANS
// RUN: (! tess advise %s 2>&1) | FileCheck %s --check-prefixes=CHECK,ADVISED
// CHECK: inner_dynamic.mlir:[[# @LINE + 6]]:8: error[E0507]: propagation needs ranked tensors of static shape
// PLANS: note: none of {{[1-9][0-9]*}} plans can be partitioned; this is why the first one cannot
// ADVISED: note: so the program cannot be partitioned as it is annotated

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<1xi32>) -> tensor<8xi32> {
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<8xi32>, tensor<1xi32>) -> tensor<?xi32>
  %1 = stablehlo.add %0, %0 : tensor<?xi32>
  %2 = stablehlo.dynamic_reshape %1, %n : (tensor<?xi32>, tensor<1xi32>) -> tensor<8xi32>
  return %2 : tensor<8xi32>
}
