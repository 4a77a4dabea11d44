// An operation with regions is unused for good once its body communicates no more.
// RUN: tess opt %s -canonicalize=enable-patterns=sdy-collective | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo
// CHECK: return %arg0
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %1 = "stablehlo.case"(%c) ({
    %2 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %3 = stablehlo.tanh %2 : tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}
