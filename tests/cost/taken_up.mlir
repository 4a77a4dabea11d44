// What a product of matrices takes up on GPUs: what one operation after the other computes of its result alone.  Four
// products of 4 MB matrices, two of half precision:
//   relu of a product, plus data: 4 x 4 MB, in one kernel;
//   silu of a product, which is read twice: 3 x 4 MB, and 2 x 4 MB for silu;
//   of half precision, converted and then relu: 3 x 2 MB, and 2 MB and 4 MB for the conversion, which writes more than
//   it reads; converted at the end: 2 x 2 MB and 4 MB.
// RUN: tess report %s --target h100x8 --json | FileCheck %s
// XLA's own compiler for an H100 makes the same six kernels.
// CHECK: "work": {
// CHECK: "bytes": 58720256,

func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>, %r: tensor<1024x1024xf32>, %a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>)
    -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<1024x1024xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = stablehlo.maximum %0, %zero : tensor<1024x1024xf32>
  %2 = stablehlo.add %1, %r : tensor<1024x1024xf32>
  %3 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %4 = stablehlo.logistic %3 : tensor<1024x1024xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<1024x1024xf32>
  %6 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %7 = stablehlo.convert %6 : (tensor<1024x1024xbf16>) -> tensor<1024x1024xf32>
  %8 = stablehlo.maximum %7, %zero : tensor<1024x1024xf32>
  %9 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %10 = stablehlo.convert %9 : (tensor<1024x1024xbf16>) -> tensor<1024x1024xf32>
  return %2, %5, %8, %10 : tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
