sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>},
                %b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %c: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %2 = stablehlo.exponential %c : tensor<16x8xf32>
  %3 = stablehlo.multiply %2, %c : tensor<16x8xf32>
  %4 = stablehlo.add %a, %b : tensor<16x8xf32>
  %5 = stablehlo.tanh %4 : tensor<16x8xf32>
  return %5, %3 : tensor<16x8xf32>, tensor<16x8xf32>
}
