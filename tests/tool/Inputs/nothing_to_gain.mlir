sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>}) -> tensor<64x8xf16> {
  %0 = stablehlo.convert %a : (tensor<64x8xf32>) -> tensor<64x8xf16>
  return %0 : tensor<64x8xf16>
}
