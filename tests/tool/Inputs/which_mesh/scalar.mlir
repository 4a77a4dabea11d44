// A scalar argument comes first: JAX declares an empty mesh for it.
sdy.mesh @empty_mesh = <[]>
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%arg0: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<i32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.add %arg0, %c : tensor<i32>
  %0 = stablehlo.multiply %arg1, %arg1 : tensor<16x8xf32>
  %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1, %2 : tensor<i32>, tensor<8xf32>
}
