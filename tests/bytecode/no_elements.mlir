// RUN: tess opt %S/Inputs/no_elements.bc | FileCheck %s
// jaxlib writes a constant without elements as one element for all.
// CHECK: stablehlo.constant dense<2.000000e+00> : tensor<0x3xf32>
// CHECK: stablehlo.constant dense<> : tensor<0xi1>
