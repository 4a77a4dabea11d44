// RUN: tess report --json --target cpu %s | FileCheck %s

// What is put together along the last dimension, of 128 elements and more, is a kernel of its own, and so are its
// parts: they are temporaries, of 65,280 and 256 bytes, and the whole lies in the memory of the result, where the
// sum is written over it.  XLA says 65,536, too.
// CHECK: "temporaries": 65536,
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = stablehlo.slice %x [0:64, 1:256] : (tensor<64x256xf32>) -> tensor<64x255xf32>
  %1 = stablehlo.slice %x [0:64, 0:1] : (tensor<64x256xf32>) -> tensor<64x1xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<64x255xf32>, tensor<64x1xf32>) -> tensor<64x256xf32>
  %3 = stablehlo.add %x, %2 : tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}
