// RUN: tess report --json %s | FileCheck %s

// Ten turns.  Each element is computed from its neighbour, so that the new vector is not written over
// the old one: both are read and written once, 1 MB each, and the new one copied, read and written.
// The counter is read, written and compared: 4 + 4 and 4 + 1 bytes.
// CHECK: "bytes": 41943170,
func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<262144xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reverse %v, dims = [0] : tensor<262144xf32>
    %2 = stablehlo.add %1, %v : tensor<262144xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<262144xf32>
  }
  return %0#1 : tensor<262144xf32>
}
