// What a loop carries and does not change is fetched before it, where it is small: here the rows that a
// scan takes one after the other, split along them, of which each step would have summed one up.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 2 comparisons agree on 4 devices

// CHECK: func.func public @main
// CHECK: %[[ROWS:.*]] = "stablehlo.all_gather"(%arg0) {{.*}} : (tensor<2x4xf32>) -> tensor<8x4xf32>
// CHECK: stablehlo.while
// CHECK-NOT: all_
// CHECK: stablehlo.dynamic_slice %[[ROWS]]
// CHECK-NOT: all_reduce
// What is large would take its room as long as the loop runs.
// CHECK: stablehlo.while
// CHECK: do
// CHECK: all_reduce

sdy.mesh @mesh = <["x"=4]>
func.func public @main(
    %rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %large: tensor<8x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1x4xf32>, tensor<1x8192xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %sums = stablehlo.constant dense<0.0> : tensor<1x8192xf32>
  %0:3 = stablehlo.while(%i = %zero, %all = %rows, %s = %sum) : tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %all, %i, %zero, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %2 = stablehlo.add %s, %1 : tensor<1x4xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %all, %2 : tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>
  }
  %4:3 = stablehlo.while(%i = %zero, %all = %large, %s = %sums) : tensor<i32>, tensor<8x8192xf32>, tensor<1x8192xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %all, %i, %zero, sizes = [1, 8192] : (tensor<8x8192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8192xf32>
    %2 = stablehlo.add %s, %1 : tensor<1x8192xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %all, %2 : tensor<i32>, tensor<8x8192xf32>, tensor<1x8192xf32>
  }
  return %0#2, %4#2 : tensor<1x4xf32>, tensor<1x8192xf32>
}
