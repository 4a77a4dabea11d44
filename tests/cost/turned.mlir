// Products on CPUs, at 0.8 of 175e9 FLOP/s: 256 rows of the left operand reach 256 / (256 + 32) of it, and one that is transposed
// for 256 columns 256 / (256 + 64) of what its 128 rows reach.  Starting a kernel takes 2 us.
//     2 * 256^3 FLOP           / 140e9 * 288/256           + 2 us = 271.634 us
//     2 * 128 * 256 * 256 FLOP / 140e9 * 160/128 * 320/256 + 2 us = 189.246 us
// RUN: tess report %s --target cpu --json | FileCheck %s
// CHECK: "operations": [
// CHECK: "seconds": 0.00027163
// CHECK: "seconds": 0.00018924

func.func @main(%a: tensor<256x256xf32>, %b: tensor<256x128xf32>) -> (tensor<256x256xf32>, tensor<128x256xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  return %0, %1 : tensor<256x256xf32>, tensor<128x256xf32>
}
