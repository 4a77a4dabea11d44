// A limit never gives a worse plan than one within it that is found without a limit, as `tess plan` lists them.
//
// RUN: %python %S/within_limits.py tess %s --target h100x8 --devices 8 | FileCheck %s
// RUN: %python %S/within_limits.py tess %S/../../examples/gpt_step.mlir --target h100x8 --devices 8 | FileCheck %s
// CHECK: {{[2-9]}} plans

func.func public @main(%x: tensor<32x16xf32>, %w1: tensor<16x64xf32>, %w2: tensor<64x8xf32>) -> tensor<32x8xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %a = stablehlo.tanh %h : tensor<32x64xf32>
  %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}
