// RUN: tess report --json %s | FileCheck %s
// RUN: tess report --json --target cpu %s | FileCheck %s --check-prefix=CPU

// Momentum: one kernel reads the parameter, its momentum and the gradient, 64x64 floats each, and
// writes two of them.
// CHECK: "bytes": 81920,
// The CPU's compiler has no kernels with several results, and reads the momentum again for the
// parameter: two matrices read and one written, twice.
// CPU: "bytes": 98304,
func.func @main(%p: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<64x64xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %c = stablehlo.constant dense<0.9> : tensor<64x64xf32>
  %0 = stablehlo.multiply %m, %c : tensor<64x64xf32>
  %1 = stablehlo.add %0, %g : tensor<64x64xf32>
  %2 = stablehlo.subtract %p, %1 : tensor<64x64xf32>
  return %2, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}
