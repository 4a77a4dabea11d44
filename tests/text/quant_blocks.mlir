// RUN: tess opt %s -split-input-file -verify-diagnostics | FileCheck %s
// Sub-channel quantization: MLIR's quant dialect has it, StableHLO's operations do not take it.

// CHECK-LABEL: func.func @pass(%arg0: tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{[{][{]}}2.000000e+00, 3.000000e+00:1}, {4.000000e+00:1, 5.000000e+00:2}}>>)
// CHECK: %0 = quant.dcast %arg0 : {{.*}} to tensor<2x4xf32>
func.func @pass(%a: tensor<2x4x!quant.uniform<i8:f32:{0:1,1:2}, {{2.0, 3.0:1}, {4.0:1,5.0:2}}>>) -> tensor<2x4xf32> {
  %0 = quant.dcast %a : tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0, 3.0:1}, {4.0:1, 5.0:2}}>> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK: !quant.uniform<i8<-4:3>:f32:{0:1, 1:2, 2:1}, {{[{][{][{]}}2.000000e+00}, {3.000000e+00}}, {{[{][{]}}4.000000e+00}, {5.000000e+00}}}>
func.func private @deep(!quant.uniform<i8<-4:3>:f32:{0:1, 1:2, 2:1}, {{{2.0}, {3.0}}, {{4.0}, {5.0}}}>)

// -----

// expected-error@+1 {{this list has 1 items, and others of its depth 2}}
func.func private @ragged(!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0, 3.0}, {4.0}}>)

// -----

// expected-error@+1 {{expected '{'}}
func.func private @depth(!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0, 3.0}, 4.0}>)

// -----

// expected-error@+1 {{a scale was expected, as in the first list}}
func.func private @deeper(!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0, 3.0}, {{4.0}}}>)

// -----

// expected-error@+1 {{a block has one element at least}}
func.func private @empty_block(!quant.uniform<i8:f32:{0:0}, {2.0, 3.0}>)

// -----

// expected-error@+1 {{a scale is out of the range of f32}}
func.func private @scale(!quant.uniform<i8:f32:{0:1}, {2.0, -3.0}>)

// -----

func.func @operation(%a: tensor<2x!quant.uniform<i8:f32:{0:1}, {2.0, 3.0}>>) {
  // expected-error@+1 {{operand 0 is tensor<2x!quant.uniform<i8:f32>>, expected a tensor}}
  %0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32:{0:1}, {2.0, 3.0}>>
  return
}
