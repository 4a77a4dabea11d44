// A split dimension may get padding between its elements where that leaves each block as many of them:
// the gradient of a strided slice needs no communication, and with padding before it only what lies at
// the border.  Elsewhere the dimension is whole.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 6 comparisons agree on 4 devices

// CHECK: func.func public @main
// CHECK-NOT: all_gather
// CHECK: stablehlo.pad %arg0, %{{.*}}, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NOT: all_gather
// CHECK: collective_permute{{.*}} : (tensor<1xf32>) -> tensor<1xf32>
// CHECK: stablehlo.pad {{.*}} low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: stablehlo.pad {{.*}} low = [1], high = [1], interior = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<12xf32>
// CHECK: collective_permute
// CHECK: stablehlo.pad {{.*}} low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
// A block of 15 has not as many of 4 as any other.
// CHECK: stablehlo.pad {{.*}} low = [0], high = [-1], interior = [3]
// CHECK: stablehlo.pad {{.*}}, low = [0], high = [2], interior = [2] : (tensor<5xf32>, tensor<f32>) -> tensor<15xf32>

sdy.mesh @mesh = <["x"=4]>
func.func public @main(
    %a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<31xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<57xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.pad %a, %c, low = [0], high = [0], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<31xf32>
  %1 = stablehlo.pad %a, %c, low = [3], high = [-2], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<32xf32>
  %2 = stablehlo.pad %a, %c, low = [1], high = [1], interior = [2] : (tensor<16xf32>, tensor<f32>) -> tensor<48xf32>
  %3 = stablehlo.pad %a, %c, low = [-3], high = [-4], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<24xf32>
  %4 = stablehlo.pad %a, %c, low = [0], high = [-1], interior = [3] : (tensor<16xf32>, tensor<f32>) -> tensor<60xf32>
  %5 = stablehlo.pad %a, %c, low = [3], high = [8], interior = [2] : (tensor<16xf32>, tensor<f32>) -> tensor<57xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<31xf32>, tensor<32xf32>, tensor<48xf32>, tensor<24xf32>, tensor<60xf32>, tensor<57xf32>
}
