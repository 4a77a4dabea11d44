// The sizes of a slice are those of the block where the dimension is split and whole in it.
// RUN: tess verify %s | FileCheck %s
// CHECK: 1 comparison agrees on 2 devices
// RUN: tess partition %s | FileCheck %s --check-prefix=LOCAL
// LOCAL: stablehlo.dynamic_slice {{.*}} sizes = [4, 2] : (tensor<4x8xf32>, {{.*}}) -> tensor<4x2xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>)
    -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %zero, %i, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
