// XLA's CPU client refuses an FFT whose operand or result is not row-major, and chooses such an order
// itself, as for the transposed operand here: what comes and goes passes through one dimension.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 2 devices

sdy.mesh @mesh = <["x"=2]>
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0
// CHECK: %[[FLAT:.*]] = stablehlo.reshape %[[T]] : {{.*}} -> tensor<12xcomplex<f32>>
// CHECK: %[[KEPT:.*]] = stablehlo.optimization_barrier %[[FLAT]]
// CHECK: %[[IN:.*]] = stablehlo.reshape %[[KEPT]] : {{.*}} -> tensor<3x4xcomplex<f32>>
// CHECK: %[[OUT:.*]] = stablehlo.fft %[[IN]]
// CHECK: %[[FLAT:.*]] = stablehlo.reshape %[[OUT]] : {{.*}} -> tensor<12xcomplex<f32>>
// CHECK: stablehlo.optimization_barrier %[[FLAT]]
// CHECK: stablehlo.fft %arg1
func.func @main(%a: tensor<4x6xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8xcomplex<f32>>)
    -> (tensor<6x4xcomplex<f32>>, tensor<8xcomplex<f32>>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<6x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  %2 = stablehlo.fft %b, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %1, %2 : tensor<6x4xcomplex<f32>>, tensor<8xcomplex<f32>>
}
