// A transform along a sharded dimension.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<512x4096xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<512x4096xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [4096] : (tensor<512x4096xcomplex<f32>>) -> tensor<512x4096xcomplex<f32>>
// CHECK: fft.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L19]:
  return %0 : tensor<512x4096xcomplex<f32>>
}
