// RUN: tess opt %s | FileCheck %s
// RUN: tess opt %s | tess opt - | FileCheck %s
// RUN: tess opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// A result_accuracy that asks for nothing is the default, which the custom form leaves out.
// CHECK: stablehlo.tanh %arg0 : tensor<2xf32>
// GENERIC: result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>
// CHECK: stablehlo.exponential %{{.*}} {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}
// CHECK: stablehlo.optimization_barrier()
func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.exponential"(%0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.optimization_barrier()
  return %1 : tensor<2xf32>
}
