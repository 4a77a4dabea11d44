// What is placed on one device is computed there, and everybody gets it.
// RUN: sed '/^.. -----$/,$d' %s >%t.mlir
// RUN: tess opt %t.mlir -sdy-resolve-single-device-sharding | FileCheck %s
// RUN: tess opt %t.mlir -sdy-resolve-single-device-sharding -sdy-convert-global-to-local >%t.local
// RUN: tess verify %t.mlir --partitioned %t.local | FileCheck %s --check-prefix=AGREE
// RUN: (tess opt %s -split-input-file -sdy-resolve-single-device-sharding; true) 2>&1 | FileCheck %s --check-prefix=ERROR
// AGREE: 2 comparisons agree

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @third = <[], device_ids=[3]>

// CHECK-LABEL: func.func @main
// CHECK: %[[WHOLE:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: %[[ID:.*]] = stablehlo.convert
// CHECK: %[[THREE:.*]] = stablehlo.constant dense<3> : tensor<i64>
// CHECK: %[[IS:.*]] = stablehlo.compare EQ, %[[ID]], %[[THREE]]
// CHECK: %[[IF:.*]] = "stablehlo.if"(%[[IS]]) ({
// CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[WHOLE]], %{{.*}} : tensor<8x4xf32>
// CHECK-NEXT: stablehlo.return %[[ADD]]
// CHECK-NEXT: }, {
// CHECK-NEXT: %[[ZEROS:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: stablehlo.return %[[ZEROS]]
// CHECK: %[[ALL:.*]] = sdy.all_reduce {"x", "y"} %[[IF]] out_sharding=<@mesh, [{}, {}]>
// CHECK-NOT: sdy.reshard %[[ALL]] <@mesh, [{}, {}]>
// CHECK: sdy.reshard %[[ALL]] <@mesh, [{"y"}, {}]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x4xf32>, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = sdy.reshard %a <@third, []> : tensor<8x4xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : tensor<8x4xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<8x4xf32>
  %3 = sdy.reshard %1 <@mesh, [{"y"}, {}]> : tensor<8x4xf32>
  return %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>
}
// -----
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @zero = <[], device_ids=[0]>
sdy.mesh @one = <[], device_ids=[1]>
// ERROR: error[E0622]: the results of 'stablehlo.custom_call' are placed on different devices
func.func @two(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = stablehlo.custom_call @both(%a) {sdy.sharding = #sdy.sharding_per_value<[<@zero, []>, <@one, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
// ERROR-NEXT: sharding_per_value
// ERROR-NEXT: {{^ *\^~~~~~~~~~$}}
