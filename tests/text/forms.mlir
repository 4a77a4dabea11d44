// RUN: tess opt %s | FileCheck %s --check-prefixes=PRETTY
// RUN: cat %s | tess opt - | FileCheck %s --check-prefixes=PRETTY
// RUN: gzip -c %s > %t.mlir.gz && tess opt %t.mlir.gz | FileCheck %s --check-prefixes=PRETTY
// RUN: tess opt -mlir-print-op-generic %s | FileCheck %s --check-prefixes=GENERIC
// RUN: tess opt -mlir-print-op-generic %s | tess opt - | FileCheck %s --check-prefixes=PRETTY
// RUN: tess opt -mlir-elide-elementsattrs-if-larger=2 %s | FileCheck %s --check-prefix=ELIDE
// One program from a file, standard input and a gzipped file, in its forms.

// PRETTY: func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> tensor<2xf32> {
// GENERIC: "func.func"() <{function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"}> ({
// GENERIC-NEXT: ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>):
func.func @main(%x: tensor<2x3xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  // PRETTY-NEXT: %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // GENERIC-NEXT: %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
  // ELIDE: dense_resource<__elided__> : tensor<3xf32>
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // PRETTY-NEXT: %0 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // GENERIC-NEXT: %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // PRETTY-NEXT: %1 = stablehlo.add %arg0, %0 : tensor<2x3xf32>
  %s = stablehlo.add %x, %b : tensor<2x3xf32>
  // PRETTY-NEXT: %2 = stablehlo.reduce(%1 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // GENERIC: "stablehlo.reduce"(%2, %arg1) <{dimensions = array<i64: 1>}> ({
  // GENERIC-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  %r = stablehlo.reduce(%s init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // PRETTY-NEXT: return %2 : tensor<2xf32>
  return %r : tensor<2xf32>
}
