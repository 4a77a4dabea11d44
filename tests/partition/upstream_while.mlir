// What a loop carries is as large in its condition and its body as outside.
// RUN: tess verify %s | FileCheck %s
// CHECK: 1 comparison agrees on 2 devices
// RUN: tess partition %s | FileCheck %s --check-prefix=LOCAL
// LOCAL: stablehlo.while{{.*}} : tensor<2xf32>, tensor<i32>
// LOCAL-NOT: tensor<4xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%v = %a, %i = %zero) : tensor<4xf32>, tensor<i32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.sine %v : tensor<4xf32>
    stablehlo.return %2, %1 : tensor<4xf32>, tensor<i32>
  }
  return %0#0 : tensor<4xf32>
}
