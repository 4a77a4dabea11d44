// Functions keep their names and their order; a caller with other shardings gets a copy.
// RUN: tess opt %s -sdy-convert-global-to-local >%t.local
// RUN: FileCheck %s <%t.local
// RUN: tess verify %s --partitioned %t.local | FileCheck %s --check-prefix=AGREE
// AGREE: 2 comparisons agree on 2 devices
// CHECK: func.func @main
// CHECK: call @double(%{{.*}}) {{.*}}(tensor<4xf32>) -> tensor<4xf32>
// CHECK: func.func private @double(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: func.func private @double(
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = call @double(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @double(%b) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @double(%v: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.add %v, %v {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
