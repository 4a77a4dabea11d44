// Unreduced arguments and results of @main: each device holds a term of the sum.  The result is not
// summed at the border, the argument is taken for a term; `run` and `verify` give and take whole
// values.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 5 comparisons agree on 8 devices

// What is printed says so, and is run as it is.
// RUN: tess partition %s -o %t.local.mlir
// RUN: tess verify %s --partitioned %t.local.mlir | FileCheck %s --check-prefix=AGREE
// RUN: tess report %t.local.mlir --json | FileCheck %s --check-prefix=REPORT
// REPORT: "collectives": 3

// CHECK: func.func @main(
// CHECK-SAME: %arg2: tensor<4x16xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>, tess.global_type = tensor<16x16xf32>}
// CHECK-SAME: -> (tensor<4x16xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>, tess.global_type = tensor<16x16xf32>}
// CHECK: %[[DOT:.*]] = stablehlo.dot_general
// CHECK: %[[SUM:.*]] = stablehlo.add %[[DOT]], %arg2
// CHECK: "stablehlo.all_reduce"(%arg2)
// CHECK: "stablehlo.all_reduce"(%arg3)
// CHECK: "stablehlo.all_reduce"(%arg4)
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.all_reduce
// CHECK: return %[[SUM]],

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(
    %a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>},
    %n: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={"x", "y"}>},
    %m: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>},
        tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>},
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
        tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={"x", "y"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.add %0, %c : tensor<16x16xf32>
  %2 = stablehlo.tanh %c : tensor<16x16xf32>
  %3 = stablehlo.multiply %n, %n : tensor<i32>
  %4 = stablehlo.maximum %m, %m : tensor<8xf32>
  return %1, %2, %3, %4, %n : tensor<16x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>
}
