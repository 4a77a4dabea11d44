// An operand that several element-wise operations need elsewhere is fetched once: no result is
// gathered for itself, though that would cost each of them as much as the operand.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 3 comparisons agree on 8 devices

// CHECK: func.func public @main
// CHECK: %[[A:.*]] = "stablehlo.all_gather"(%arg0) {{.*}} : (tensor<4x4xi32>) -> tensor<8x4xi32>
// CHECK: %[[B:.*]] = "stablehlo.all_to_all"(%arg1) {{.*}} : (tensor<2x16xi32>) -> tensor<8x4xi32>
// CHECK: stablehlo.and %[[A]], %[[B]] : tensor<8x4xi32>
// CHECK-NOT: all_
// CHECK: stablehlo.xor %[[A]], %[[B]] : tensor<8x4xi32>
// CHECK-NOT: all_
// CHECK: stablehlo.compare GT, %[[A]], %[[B]]
// CHECK-NOT: all_
// CHECK: return

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func public @main(
    %a: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<8x16xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.and %a, %b : tensor<8x16xi32>
  %1 = stablehlo.xor %a, %b : tensor<8x16xi32>
  %2 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
  return %0, %1, %2 : tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi1>
}
