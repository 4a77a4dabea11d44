// Each device draws its own part of one stream, not the same numbers twice.
// RUN: tess verify %s | FileCheck %s
// CHECK: 2 comparisons agree on 2 devices, largest error 0.0e+00
// RUN: tess partition %s | FileCheck %s --check-prefix=LOCAL
// LOCAL: stablehlo.rng_bit_generator {{.*}} -> (tensor<2xui64>, tensor<4xui32>)
sdy.mesh @mesh = <["x"=2]>
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<8xui32>
}
