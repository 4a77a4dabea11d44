// The weight does not change from turn to turn, and is gathered in each.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<512x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %k = %w) : tensor<i32>, tensor<512x1024xf32>, tensor<1024x1024xf32>
    cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %g = sdy.sharding_constraint %k <@mesh, [{}, {}]> : tensor<1024x1024xf32>
// CHECK: reshard_in_loop.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L13]:
    %d = stablehlo.dot %h, %g : (tensor<512x1024xf32>, tensor<1024x1024xf32>) -> tensor<512x1024xf32>
    stablehlo.return %j, %d, %k : tensor<i32>, tensor<512x1024xf32>, tensor<1024x1024xf32>
  }
  return %0#1 : tensor<512x1024xf32>
}
