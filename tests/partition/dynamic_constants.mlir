// A constant that says a shape is made whole again, however its own sharding cuts it: gathered, it would
// not be known before the program runs, as what is computed on several devices is not.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// RUN: (! tess verify %s --constrain '%%low=[{"a"}]' 2>&1) | FileCheck %s --check-prefix=SENT
// CHECK-NOT: all_gather
// CHECK: stablehlo.dynamic_pad %arg0
// AGREE: 1 comparison agrees on 2 devices
// SENT: error[E0701]: stablehlo.all_gather: a shape depends on what it makes
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<6x5xf32>, %p: tensor<f32>) -> tensor<8x7xf32> {
  %c = stablehlo.constant dense<1> : tensor<2xi64>
  %by = sdy.sharding_constraint %c <@mesh, [{"a"}]> : tensor<2xi64>
  %in = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<0> : tensor<2xi64>
  %half = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %rest = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %low = stablehlo.add %half, %rest : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %p, %c, %by, %in : (tensor<6x5xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8x7xf32>
  %1 = stablehlo.dynamic_pad %x, %p, %low, %by, %in : (tensor<6x5xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8x7xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x7xf32>
  return %2 : tensor<8x7xf32>
}
