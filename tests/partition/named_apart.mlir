// Named computations of one name are one function if they are the same, and two if not;
// one that has the name of a function is another one.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s --json | FileCheck %s --check-prefix=VERIFY
// RUN: tess opt %s -name-computations-apart | FileCheck %s --check-prefix=APART

// VERIFY: "agree": true

sdy.mesh @mesh = <["x"=2]>

// CHECK: func.func private @g(
// CHECK-NEXT: stablehlo.negate
// CHECK: func.func private @g_0(
// CHECK-NEXT: stablehlo.cosine
// CHECK: func.func private @g_1(
// CHECK-NEXT: stablehlo.negate
// CHECK: func.func private @g_1_2(
// CHECK-NEXT: stablehlo.add
// CHECK: func.func private @f(
// CHECK-NEXT: stablehlo.sine
// CHECK: func.func private @f_2(
// CHECK-NEXT: stablehlo.tanh
// CHECK: call @g(%arg0)
// CHECK: call @g_0(%0)
// CHECK: call @g_1(%1)
// CHECK: call @g_1_2(%1, %2)
// CHECK: call @f(%3)
// CHECK: call @f_2(%4)

// APART: named_computation<"g">(%arg0)
// APART: named_computation<"g_0">(%0)
// APART: named_computation<"g">(%1)
// APART: named_computation<"g_1">(%1, %2)
// APART: call @f
// APART: named_computation<"f_2">
func.func @main(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  %0 = sdy.named_computation<"g">(%arg0) (%arg1: tensor<4x6xf32>) {
    %6 = stablehlo.negate %arg1 : tensor<4x6xf32>
    sdy.return %6 : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = sdy.named_computation<"g">(%0) (%arg1: tensor<4x6xf32>) {
    %6 = stablehlo.cosine %arg1 : tensor<4x6xf32>
    sdy.return %6 : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = sdy.named_computation<"g">(%1) (%arg1: tensor<4x6xf32>) {
    %6 = stablehlo.negate %arg1 : tensor<4x6xf32>
    sdy.return %6 : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = sdy.named_computation<"g">(%1, %2) (%arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) {
    %6 = stablehlo.add %arg1, %arg2 : tensor<4x6xf32>
    sdy.return %6 : tensor<4x6xf32>
  } : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = call @f(%3) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = sdy.named_computation<"f">(%4) (%arg1: tensor<4x6xf32>) {
    %6 = stablehlo.tanh %arg1 : tensor<4x6xf32>
    sdy.return %6 : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %5 : tensor<4x6xf32>
}

func.func private @f(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.sine %arg0 : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
