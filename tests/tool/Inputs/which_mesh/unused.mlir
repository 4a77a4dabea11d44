// A mesh that nothing names does not say for how many devices the program is.
sdy.mesh @unused = <["a"=3, "b"=5]>
sdy.mesh @used = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@used, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
