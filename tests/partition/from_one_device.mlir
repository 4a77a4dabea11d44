// RUN: tess run %s
// RUN: tess partition %s | FileCheck %s
// A value that differs from device to device, placed on device 2, is that device's for all; the size of a
// dimension is that of the whole tensor.
// CHECK: %[[MINE:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<ui32>
// CHECK: "stablehlo.all_reduce"(%[[MINE]])

sdy.mesh @mesh = <["x"=4]>
sdy.mesh @two = <[], device_ids=[2]>
func.func @main() {
  %p = stablehlo.partition_id : tensor<ui32>
  %0 = sdy.reshard %p <@two, []> : tensor<ui32>
  check.expect_eq_const %0, dense<2> : tensor<ui32>
  %a = stablehlo.iota dim = 0 : tensor<8xi32>
  %s = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xi32>
  %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<8xi32>) -> tensor<i32>
  check.expect_eq_const %n, dense<8> : tensor<i32>
  return
}
