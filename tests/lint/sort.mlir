// Logits sorted along the vocabulary, which is sharded.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<512x4096xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
// CHECK: sort.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L18]:
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<512x4096xf32>) -> tensor<512x4096xf32>
  return %0 : tensor<512x4096xf32>
}
