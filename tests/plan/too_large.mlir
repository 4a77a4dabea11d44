// What keeps a program from being costed is said as `tess report` says it.
//
// RUN: (! tess report %s 2>&1) | FileCheck %s
// RUN: (! tess plan %s 2>&1) | FileCheck %s --check-prefixes=CHECK,PLANS
// RUN: (! tess advise %s 2>&1) | FileCheck %s --check-prefixes=CHECK,ADVISED
// CHECK: too_large.mlir:[[# @LINE + 6]]:8: error[E0931]: the tensors of one device may take more than 2^63 bytes
// PLANS: note: none of {{[1-9][0-9]*}} plans can be partitioned; this is why the first one cannot
// ADVISED: note: so the program cannot be partitioned as it is annotated

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4294967296x2147483648x8xi32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<8xi32>) -> tensor<4294967296x2147483648x8xi32>
  return %0 : tensor<4294967296x2147483648x8xi32>
}
