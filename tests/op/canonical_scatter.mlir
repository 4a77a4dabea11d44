// A reduction that is sliced is a reduce_scatter where the new shards divide what a device has, whether or
// not that is padded.  What is expected is what jaxlib 0.11.2 gives.
// RUN: tess opt %s -canonicalize=enable-patterns=sdy-collective | FileCheck %s
sdy.mesh @mesh = <["x"=4, "z"=2]>
// 6 over 4: devices have 2, and take 1 each.
// CHECK-LABEL: func.func @padded
// CHECK-NEXT: sdy.reduce_scatter [{"z"}] %arg0
func.func @padded(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"z"}>}) -> tensor<6xf32> {
  %0 = sdy.all_reduce {"z"} %a out_sharding=<@mesh, [{"x"}]> : tensor<6xf32>
  %1 = sdy.all_slice [{"z"}] %0 out_sharding=<@mesh, [{"x", "z"}]> : tensor<6xf32>
  return %1 : tensor<6xf32>
}
// 10 over 4: devices have 3.
// CHECK-LABEL: func.func @uneven
// CHECK-NEXT: sdy.all_reduce {"z"} %arg0
// CHECK-NEXT: sdy.all_slice
func.func @uneven(%a: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"z"}>}) -> tensor<10xf32> {
  %0 = sdy.all_reduce {"z"} %a out_sharding=<@mesh, [{"x"}]> : tensor<10xf32>
  %1 = sdy.all_slice [{"z"}] %0 out_sharding=<@mesh, [{"x", "z"}]> : tensor<10xf32>
  return %1 : tensor<10xf32>
}
// CHECK-LABEL: func.func @even
// CHECK-NEXT: sdy.reduce_scatter [{"z"}] %arg0
func.func @even(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"z"}>}) -> tensor<6xf32> {
  %0 = sdy.all_reduce {"z"} %a out_sharding=<@mesh, [{}]> : tensor<6xf32>
  %1 = sdy.all_slice [{"z"}] %0 out_sharding=<@mesh, [{"z"}]> : tensor<6xf32>
  return %1 : tensor<6xf32>
}
