// RUN: tess convert --to-hlo %s | tess convert - | FileCheck %s
// Groups and barriers come back as what they were.

// CHECK: sdy.sharding_group %{{.*}} group_id=21 : tensor<16xf32>
// CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD : tensor<16xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  sdy.sharding_group %a group_id=21 : tensor<16xf32>
  %0 = sdy.propagation_barrier %a allowed_direction=BACKWARD : tensor<16xf32>
  return %0 : tensor<16xf32>
}
