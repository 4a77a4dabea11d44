// A convolution without dimensions of space has no window to speak of, as XLA prints it.
// RUN: tess convert --to-hlo %s | FileCheck %s
// RUN: tess convert --to-hlo %s | sed 's/), dim_labels/), window={}, dim_labels/' > %t
// RUN: tess hlo %t | FileCheck %s
// RUN: tess convert %t | FileCheck %s --check-prefix=BACK

// CHECK: f32[2,2]{1,0} convolution({{[^)]*}}), dim_labels=bf_io->bf
// BACK: stablehlo.convolution({{.*}}) dim_numbers = [b, f]x[i, o]->[b, f]
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
