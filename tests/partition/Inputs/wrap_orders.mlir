sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["x"=4], device_ids=[3, 1, 2, 0]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) {
  return %a : tensor<4xf32>
}
