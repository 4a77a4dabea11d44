// Without @main the first function is looked at, wherever passes leave it.
// RUN: tess lint %s | FileCheck %s
// RUN: tess diff %s | FileCheck %s --check-prefix=SAME
// RUN: tess explain %s b | FileCheck %s --check-prefix=WHY
// RUN: tess report %s | FileCheck %s --check-prefix=REPORT
// RUN: tess shard %s --table | FileCheck %s --check-prefix=TABLE
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// WHY: %b f32[8,8]
// REPORT: arguments 256 B
// TABLE: %b f32[8,8] f32[4,8]
// VERIFY: 1 comparison agrees on 2 devices
// CHECK: nothing found
// SAME: no difference
sdy.mesh @mesh = <["x"=2]>
func.func @first(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @second(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @third() -> tensor<8x8xf32> {
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<0.0> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
