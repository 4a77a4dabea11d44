// Every figure of a report adds up, in JSON and on the page.
// RUN: %python %S/check_report.py tess %s %S/report.mlir %S/report_peak.mlir %S/report_merged.mlir %S/report_kinds.mlir %S/../../examples/*.mlir %S/../lint/*.mlir

// Fused, both sums would live until the concatenation reads a row of each, 4 kB each.  A compiler
// that fuses nothing holds one sum and the rows, and so is the peak.
// RUN: tess report %s | FileCheck %s
// CHECK: temporaries 4.42 kB
// CHECK: alive at the peak:
// CHECK: 4.10 kB temporary {{.*}}, by reduce
// CHECK: over x: 1 collective
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2x32x32xf32>, %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x32xf32>, tensor<32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x32x32xf32>, tensor<f32>) -> tensor<32x32xf32>
  %p0 = stablehlo.slice %p [0:1, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
  %q = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<2x32x32xf32>, tensor<f32>) -> tensor<32x32xf32>
  %q0 = stablehlo.slice %q [1:2, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
  %r = stablehlo.concatenate %p0, %q0, dim = 0 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<2x32xf32>
  %sum = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %r, %sum : tensor<2x32xf32>, tensor<32xf32>
}
