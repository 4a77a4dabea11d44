// The producer is sharded by rows, the other operand by columns.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<1024x1024xf32>
// CHECK: transposed_sharding.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L20]:
  return %0 : tensor<1024x1024xf32>
}
