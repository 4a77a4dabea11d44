// RUN: tess diff %s %s --exit-code | FileCheck %s --check-prefix=SAME
// RUN: sed 's/<@mesh, .{}.>/<@mesh, [{"x"}]>/' %s > %t && (tess diff %s %t --exit-code; echo status $?) | FileCheck %s
// A constraint on what a loop carries is found again, and its change told.
// SAME: no difference
// CHECK:      %c is constrained in the first only
// CHECK-NEXT:   - <@mesh, [{}]>
// CHECK-NEXT: %c is constrained in the second only
// CHECK-NEXT:   + <@mesh, [{"x"}]>
// CHECK:      status 1

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%c = %x, %i = %zero) : tensor<4xf32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %y = sdy.sharding_constraint %c <@mesh, [{}]> : tensor<4xf32>
    %z = stablehlo.sine %y : tensor<4xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %z, %k : tensor<4xf32>, tensor<i32>
  }
  return %r#0 : tensor<4xf32>
}
