// Groups with a value in common are one; members are members once; numbers start at 0.
// RUN: tess opt %s -sdy-sharding-group-import | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
// CHECK-NEXT: sdy.sharding_group %arg0 group_id=0 : tensor<4xf32>
// CHECK-NEXT: sdy.sharding_group %arg1 group_id=0 : tensor<4xf32>
// CHECK-NEXT: sdy.sharding_group %arg2 group_id=1 : tensor<4xf32>
// CHECK-NEXT: sdy.sharding_group %arg3 group_id=0 : tensor<4xf32>
// CHECK-NEXT: return
func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
  sdy.sharding_group %arg0 group_id=7 : tensor<4xf32>
  sdy.sharding_group %arg1 group_id=9 : tensor<4xf32>
  sdy.sharding_group %arg1 group_id=7 : tensor<4xf32>
  sdy.sharding_group %arg2 group_id=4 : tensor<4xf32>
  sdy.sharding_group %arg3 group_id=9 : tensor<4xf32>
  sdy.sharding_group %arg2 group_id=4 : tensor<4xf32>
  return
}
