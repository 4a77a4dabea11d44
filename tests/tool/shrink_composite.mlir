// What a composite does is a function of its own, whose dimensions shrink with those of the operands.
// RUN: tess verify --shrink %s | FileCheck %s
// CHECK: 1 comparison agrees on 4 devices
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x16xf32> {
  %0 = stablehlo.composite "my.square" %a {decomposition = @square} : (tensor<64x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
func.func private @square(%a: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
