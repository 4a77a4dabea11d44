// The two summed dimensions are sharded over different axes.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<4096x4096xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
// CHECK: contraction_mismatch.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L12]:
  return %0 : tensor<4096x4096xf32>
}
