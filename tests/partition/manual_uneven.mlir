// Axes behind the manual ones that do not divide what each device has: from outside the dimension
// is cut into 8, which is not what 4 parts, cut into 2 each, are.
// RUN: tess verify %s | FileCheck %s
// RUN: tess verify %s --reshard-policy sdy | FileCheck %s
// CHECK: 3 comparisons agree on 8 devices
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}, %b: tensor<4xf32>)
    -> (tensor<12xf32>, tensor<12xf32>, tensor<4xf32>) {
  %0:3 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"y", "x", ?}]>, <@mesh, [{"y", ?}]>] out_shardings=[<@mesh, [{"y", "x", ?}]>, <@mesh, [{"y", "x"}]>, <@mesh, [{"y", "x", ?}]>] manual_axes={"y"} (%p: tensor<3xf32>, %q: tensor<1xf32>) {
    %1 = stablehlo.sine %p : tensor<3xf32>
    %2 = stablehlo.reverse %p, dims = [0] : tensor<3xf32>
    %3 = stablehlo.cosine %q : tensor<1xf32>
    sdy.return %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
  } : (tensor<12xf32>, tensor<4xf32>) -> (tensor<12xf32>, tensor<12xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<12xf32>, tensor<12xf32>, tensor<4xf32>
}
