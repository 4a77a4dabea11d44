// Borders are exchanged in manual computations, or the dimension is whole there.
// RUN: tess opt %s -sdy-resolve-permutation-factors | FileCheck %s --check-prefixes=CHECK,HALO
// RUN: tess opt %s -sdy-resolve-permutation-factors=enable-halo-exchange=false | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: tess opt %s -sdy-resolve-permutation-factors -sdy-convert-global-to-local >%t.halo
// RUN: tess verify %s --partitioned %t.halo | FileCheck %s --check-prefix=AGREE
// RUN: tess opt %s -sdy-resolve-permutation-factors=enable-halo-exchange=false -sdy-convert-global-to-local >%t.whole
// RUN: tess verify %s --partitioned %t.whole | FileCheck %s --check-prefix=AGREE
// AGREE: 4 comparisons agree

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @main
// A slice of a dimension that is whole needs nothing.
// CHECK: %[[R:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK-NEXT: stablehlo.slice %[[R]] [0:16, 1:5]
// WHOLE: %[[IN:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// WHOLE: %[[OUT:.*]] = stablehlo.slice %[[IN]] [2:14, 0:6]{{.*}}<@mesh, [{}, {"y"}]>
// WHOLE: sdy.reshard %[[OUT]] <@mesh, [{"x"}, {"y"}]>
// WHOLE: stablehlo.reverse {{.*}}<@mesh, [{}, {"y"}]>
// WHOLE: stablehlo.pad {{.*}}<@mesh, [{}, {"y"}]>
// HALO: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%{{.*}}: tensor<4x3xf32>)
// HALO: "stablehlo.collective_permute"
// HALO: sdy.return %{{.*}} : tensor<3x3xf32>
// HALO: sdy.manual_computation
// HALO: "stablehlo.collective_permute"
// HALO: sdy.manual_computation
// HALO: "stablehlo.collective_permute"
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<20x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %r = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<16x6xf32>
  %0 = stablehlo.slice %r [0:16, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x6xf32>) -> tensor<16x4xf32>
  %1 = stablehlo.slice %a [2:14, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x6xf32>) -> tensor<12x6xf32>
  %2 = stablehlo.reverse %a, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<16x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.pad %a, %zero, low = [1, 0], high = [3, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<20x6xf32>
  return %0, %1, %2, %3 : tensor<16x4xf32>, tensor<12x6xf32>, tensor<16x6xf32>, tensor<20x6xf32>
}
