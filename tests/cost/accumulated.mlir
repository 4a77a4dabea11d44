// RUN: tess report --json %s | FileCheck %s

// The sum that the loop carries is 1 MB, as are the two arguments.  It is still needed when the
// momentum is read, so that it does not lie in the memory of either: 1 MB beside theirs.
// CHECK: "peak": 3145728,
func.func @main(%m: tensor<262144xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<262144xf32>) -> tensor<262144xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<262144xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<262144xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %sum, %g : tensor<262144xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<262144xf32>
  }
  %1 = stablehlo.add %m, %0#1 : tensor<262144xf32>
  return %1 : tensor<262144xf32>
}
