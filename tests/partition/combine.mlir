// Collectives of one kind among the same devices, none of which waits for another, are one.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: agree on 8 devices
// RUN: tess partition --merge %s | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Two sums go together; the third is of the result of the first.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUMS:.*]]:2 = "stablehlo.all_reduce"(%{{.*}}, %{{.*}}) <{{.*}}replica_groups = dense<{{\[\[}}0, 4], [1, 5]
// CHECK: (tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)
// CHECK: multiply %[[SUMS]]#0
// CHECK: "stablehlo.all_reduce"(%{{[^,]*}}) <{
// CHECK: (tensor<f32>) -> tensor<f32>
// A maximum is another kind.
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.maximum
// Both dimensions are gathered at once.
// CHECK: "stablehlo.all_gather"(%{{.*}}) <{{.*}}dense<{{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]>
// CHECK-NOT: stablehlo.all_
func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<4xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
  %4 = stablehlo.multiply %3, %a : tensor<16x4xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.reduce(%b init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
  %7 = stablehlo.negate %c : tensor<6x8xf32>
  return %0, %1, %5, %6, %7 : tensor<4xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<6x8xf32>
}
