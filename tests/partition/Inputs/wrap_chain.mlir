sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["x"=3, "y"=2]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@other, [{"y"}]>}) {
  return %a : tensor<6xf32>
}
