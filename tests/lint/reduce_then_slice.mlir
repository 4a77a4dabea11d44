// Partial sums are completed everywhere; each device then keeps its part.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x512xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<512x1024xf32>, tensor<1024x512xf32>) -> tensor<512x512xf32>
// CHECK: reduce_then_slice.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L7]:
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<512x512xf32>
  %2 = stablehlo.slice %1 [0:4, 0:512] : (tensor<512x512xf32>) -> tensor<4x512xf32>
  return %2 : tensor<4x512xf32>
}
