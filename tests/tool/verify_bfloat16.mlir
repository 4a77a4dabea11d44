// Weights of float32 that are multiplied as bfloat16: each device rounds its part of the sum, and a
// rounding of the inputs as bfloat16 says how much that may be.
// RUN: tess verify %s | FileCheck %s
// CHECK: 1 comparison agrees on 4 devices
// CHECK-NEXT: (1 of them differs only by what changing the inputs by a rounding does to the whole program)
// The products of one device lost: that is more.
// RUN: tess partition %s -o %t.mlir
// RUN: sed s/stablehlo.add/stablehlo.maximum/ %t.mlir > %t.wrong.mlir
// RUN: (tess verify %s --partitioned %t.wrong.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: out0 differs from the whole program: {{[0-9]+}} of 256 elements
// WRONG: status 1
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %w: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.convert %x : (tensor<16x64xf32>) -> tensor<16x64xbf16>
  %1 = stablehlo.convert %w : (tensor<64x16xf32>) -> tensor<64x16xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<16x64xbf16>, tensor<64x16xbf16>) -> tensor<16x16xbf16>
  %3 = stablehlo.convert %2 : (tensor<16x16xbf16>) -> tensor<16x16xf32>
  return %3 : tensor<16x16xf32>
}
