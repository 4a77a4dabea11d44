sdy.mesh @rows = <["row"=8]>
sdy.mesh @mesh = <["a"=4, "b"=2]>
func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@rows, [{"row"}, {}]>}) -> (tensor<16x8xf32>, tensor<8xf32>) {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.negate %arg0 : tensor<16x8xf32>
  %1 = stablehlo.abs %0 : tensor<16x8xf32>
  %2 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1, %2 : tensor<16x8xf32>, tensor<8xf32>
}
