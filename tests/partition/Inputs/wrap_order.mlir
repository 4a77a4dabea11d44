sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  return %a : tensor<4xf32>
}
