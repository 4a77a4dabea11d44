// Partial sums that are added up are completed once, constraints in between or not, and
// gathered weights come together with the first of them.
// RUN: tess verify %s --tolerance 1e-3 | FileCheck %s --check-prefix=AGREE
// AGREE: 2 comparisons agree on 8 devices
// RUN: tess partition --merge %s | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-NOT: all_reduce
// CHECK: %[[PARTS:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<512x256xf32>
// CHECK: "stablehlo.all_reduce"(%{{.*}}) <{{.*}}[0, 1, 2, 3], [4, 5, 6, 7]
// CHECK: (tensor<512x256xf32>) -> tensor<512x256xf32>
// CHECK-NOT: all_reduce
// CHECK: %[[WEIGHTS:.*]]:2 = "stablehlo.all_gather"(%{{.*}}, %{{.*}}) <{all_gather_dim = 0
// CHECK: stablehlo.dot %{{.*}}, %[[WEIGHTS]]#0
// CHECK: stablehlo.dot %{{.*}}, %[[WEIGHTS]]#1
// CHECK-NOT: all_
func.func @main(%a: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %c: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %d: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %v: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %w: tensor<64x64xf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot %a, %b : (tensor<1024x512xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<1024x256xf32>
  %2 = stablehlo.dot %c, %d : (tensor<1024x512xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<1024x256xf32>
  %4 = stablehlo.add %1, %3 : tensor<1024x256xf32>
  %5 = stablehlo.tanh %4 : tensor<1024x256xf32>
  %6 = stablehlo.dot %5, %v : (tensor<1024x256xf32>, tensor<256x64xf32>) -> tensor<1024x64xf32>
  %7 = stablehlo.tanh %6 : tensor<1024x64xf32>
  %8 = stablehlo.convert %w : (tensor<64x64xf16>) -> tensor<64x64xf32>
  %9 = stablehlo.dot %7, %8 : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  return %4, %9 : tensor<1024x256xf32>, tensor<1024x64xf32>
}
