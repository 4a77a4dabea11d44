// Random bits: each device computes its own, from an offset of the counter, which may carry.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 7 comparisons agree on 8 devices, largest error 0.0e+00
// RUN: tess partition %s | FileCheck %s
// CHECK: algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
// CHECK: algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2xui64>)
// A row of three words is no whole number of Philox' blocks: computed whole.
// CHECK: algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8x3xui32>)
// CHECK: algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui8>)

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main() -> (tensor<16x6xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<2xui64>, tensor<12x2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x3xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, tensor<3xui64>, tensor<16xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<6xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %s = stablehlo.constant dense<[18446744073709551615, 18446744073709551610]> : tensor<2xui64>
  %t = stablehlo.constant dense<[5, 18446744073709551612, 18446744073709551615]> : tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16x6xui32>)
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<12x2xui64>)
  %2:2 = stablehlo.rng_bit_generator %t, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8x3xui32>)
  %3:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16xui8>)
  %4:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui64>)
  return %0#1, %0#0, %1#1, %2#1, %2#0, %3#1, %4#1 : tensor<16x6xui32>, tensor<2xui64>, tensor<12x2xui64>, tensor<8x3xui32>, tensor<3xui64>, tensor<16xui8>, tensor<6xui64>
}
