// A small function that communicates is partitioned where it is called: two that want the same argument
// elsewhere fetch it once.  One that does not communicate stays a function.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 3 comparisons agree on 4 devices

// CHECK: func.func private @scaled(
// CHECK-NOT: func.func private
// CHECK: func.func public @main
// CHECK: %[[ROWS:.*]] = "stablehlo.all_to_all"(%arg0) {{.*}} : (tensor<8x4xf32>) -> tensor<2x16xf32>
// CHECK-NOT: all_
// CHECK: "stablehlo.sort"(%[[ROWS]])
// CHECK-NOT: all_
// CHECK: "stablehlo.sort"(%[[ROWS]])
// CHECK: call @scaled

sdy.mesh @mesh = <["x"=4]>
func.func public @main(
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = call @up(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = call @down(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = call @scaled(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
func.func private @up(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %1 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func private @down(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = call @sorted_down(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func private @sorted_down(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %1 = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func private @scaled(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
