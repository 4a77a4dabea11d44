// RUN: tess report --json --target cpu %s | FileCheck %s

// Both results are computed of %m, and neither needs the other one: which of them runs last is not known, so %m is
// copied before its memory is written to: 262,144 bytes, as XLA says.
// CHECK: "temporaries": 262144,
func.func @main(%w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<256x256xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %0 = stablehlo.add %m, %g : tensor<256x256xf32>
  %1 = stablehlo.sine %0 : tensor<256x256xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<256x256xf32>
  %3 = stablehlo.multiply %m, %g : tensor<256x256xf32>
  return %2, %3 : tensor<256x256xf32>, tensor<256x256xf32>
}
