// RUN: tess opt %s -canonicalize=enable-patterns=sdy-reshard | FileCheck %s
// A reshard that nobody uses stands in the way of one that had its turn before.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
  // CHECK-NEXT: return %[[R]]
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %0 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
