// What 64 bits do not count is refused, not counted wrongly.
// RUN: (tess report %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess lint %s; echo status $?) 2>&1 | FileCheck %s
// RUN: (tess diff %s %S/mesh.mlir; echo status $?) 2>&1 | FileCheck %s
// CHECK: too_large.mlir:[[@LINE+2]]:1: error[E0931]: the tensors of one device may take more than 2^63 bytes, counted up to this operation
// CHECK: status 1
func.func @main(%x: tensor<9223372036854775807xi8>) -> tensor<9223372036854775807xi8> {
  %0 = stablehlo.add %x, %x : tensor<9223372036854775807xi8>
  return %0 : tensor<9223372036854775807xi8>
}
