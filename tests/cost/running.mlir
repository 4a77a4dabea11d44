// RUN: tess report --json --target cpu %s | FileCheck %s
// RUN: tess report --json %s | FileCheck %s --check-prefix=GPU

// What XLA's compiler for CPUs reads and writes besides operands and results.

// Running sums are made in two passes, each of which reads and writes 64x256 floats.  (XLA says 282,888 bytes
// and 69,888 temporary ones, with the totals of parts.)
// CHECK: "temporaries": 65536,
// CHECK: "work": {
// CHECK: "bytes": 262144,
// GPU: "temporaries": 0,
// GPU: "work": {
// GPU: "bytes": 131072,
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [255, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 256>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<64x256xf32>, tensor<f32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
