// --reshard-policy sdy takes Shardy's choices, but not its sums of what is no sum: the product of all
// elements is that of whole operands, and the program computes what the whole one does.
// RUN: tess partition %s --reshard-policy sdy 2>%t | FileCheck %s
// RUN: test ! -s %t
// RUN: tess verify %s --reshard-policy sdy | FileCheck %s --check-prefix=AGREE
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: stablehlo.reduce(%[[WHOLE]]
// CHECK-NOT: all_reduce
// AGREE: 1 comparison agrees on 2 devices
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.multiply across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
