// RUN: tess report --json --target cpu %s | FileCheck %s

// Half precision is multiplied in 32 bits: each operand is read, written and read in 4 bytes an element,
// the result written and read in 4 and written in 2: 64 * 64 * (3 * 10), which is what XLA says, who keeps
// three matrices of 4 bytes.
// CHECK: "temporaries": 49152,
// CHECK: "work": {
// CHECK: "bytes": 122880,
func.func @main(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
