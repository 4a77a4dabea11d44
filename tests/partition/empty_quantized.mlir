// What is padded so that devices can share it may be quantized, and have no element to pad with.
// RUN: tess verify %s | FileCheck %s
// CHECK: 1 comparison agrees on 6 devices
sdy.mesh @mesh = <["x"=6]>
func.func @main(%a: tensor<5x0x4xf32>) -> (tensor<5x0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.uniform_quantize %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)3}, {}, {}]>]>} : (tensor<5x0x4xf32>) -> tensor<5x0x4x!quant.uniform<u8:f32, 2.0:128>>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(2)3}, {"x":(1)2}, {}]>]>} : tensor<5x0x4x!quant.uniform<u8:f32, 2.0:128>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<5x0x4x!quant.uniform<u8:f32, 2.0:128>>) -> tensor<5x0x4xf32>
  return %2 : tensor<5x0x4xf32>
}
