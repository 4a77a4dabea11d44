// RUN: tess report --json --target cpu %s | FileCheck %s

// What only products read, also reshaped, is written in 32 bits by what computes it. The sum reads 2 bytes
// an element and writes 4, as the conversions of %w and %v do; each product reads 8 and writes 4, of which 2 remain
// after another 6: 64 * 64 * (3 * 6 + 2 * (12 + 6)), which is what XLA says.
// CHECK: "work": {
// CHECK: "bytes": 221184,
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>, %v: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<4x16x64xbf16>) {
  %0 = stablehlo.add %x, %x : tensor<64x64xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = stablehlo.reshape %0 : (tensor<64x64xbf16>) -> tensor<4x16x64xbf16>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [2] x [0] : (tensor<4x16x64xbf16>, tensor<64x64xbf16>) -> tensor<4x16x64xbf16>
  return %1, %3 : tensor<64x64xbf16>, tensor<4x16x64xbf16>
}
