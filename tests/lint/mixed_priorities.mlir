// The batch's axis goes first on one argument and second on the other.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p0, {?}p1]>},
                %b: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {?}p0]>}) -> tensor<512x1024xf32> {
// CHECK: mixed_priorities.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L29]:
  %0 = stablehlo.add %a, %b : tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
