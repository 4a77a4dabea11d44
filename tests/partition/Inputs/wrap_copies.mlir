sdy.mesh @small = <["x"=2]>
sdy.mesh @large = <["a"=4]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@small, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@small, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@large, [{"a"}]>}) {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}
