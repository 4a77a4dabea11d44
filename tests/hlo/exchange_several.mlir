// HLO has no exchange of several operands each of which is cut: each gets its own.
// RUN: tess convert --to hlo %s -o %t.hlo
// RUN: FileCheck %s --input-file %t.hlo
// RUN: tess convert %t.hlo | FileCheck %s --check-prefix=BACK

// CHECK: %[[A:.*]] = f32[2,8]{1,0} all-to-all(%{{.*}}), channel_id=1, replica_groups={{[{][{]}}0,1,2,3}}, dimensions={1}
// CHECK: reshape(%[[A]])
// CHECK: %[[X:.*]] = f32[8,2]{1,0} reshape(
// CHECK: %[[B:.*]] = f32[2,8]{1,0} all-to-all(%{{.*}}), channel_id=1, replica_groups={{[{][{]}}0,1,2,3}}, dimensions={1}
// CHECK: %[[Y:.*]] = f32[8,2]{1,0} reshape(
// CHECK: tuple(%[[X]], %[[Y]])

// BACK-COUNT-2: (tensor<2x8xf32>) -> tensor<2x8xf32>
// BACK: -> tensor<8x2xf32>

func.func @main(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %0:2 = "stablehlo.all_to_all"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x8xf32>, tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>)
  return %0#0, %0#1 : tensor<8x2xf32>, tensor<8x2xf32>
}
