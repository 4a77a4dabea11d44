// RUN: tess eval %s | FileCheck %s
// A result without elements is printed with its type, beside those that have some.
func.func @main() -> (tensor<0xui8>, tensor<2x0x3xf32>, tensor<1xi32>) {
  %0 = stablehlo.constant dense<> : tensor<0xui8>
  %1 = stablehlo.constant dense<1.0> : tensor<2x0x3xf32>
  %2 = stablehlo.constant dense<7> : tensor<1xi32>
  return %0, %1, %2 : tensor<0xui8>, tensor<2x0x3xf32>, tensor<1xi32>
}
// CHECK: dense<> : tensor<0xui8>
// CHECK-NEXT: dense<> : tensor<2x0x3xf32>
// CHECK-NEXT: dense<7> : tensor<1xi32>
