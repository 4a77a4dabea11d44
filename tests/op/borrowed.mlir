// RUN: tess opt %s | FileCheck %s
// RUN: tess opt %s | tess opt - | FileCheck %s
// RUN: tess opt -mlir-print-op-generic %s | tess opt - | FileCheck %s
// Operations of other dialects that StableHLO's programs hold.

// CHECK-LABEL: func.func @sizes
func.func @sizes(%a: tensor<2x?xf32>, %i: index) -> index {
  // CHECK: %c1 = arith.constant 1 : index
  %c = arith.constant 1 : index
  // CHECK: %[[DIM:.*]] = tensor.dim %arg0, %c1 : tensor<2x?xf32>
  %0 = tensor.dim %a, %c : tensor<2x?xf32>
  // CHECK: arith.index_cast %[[DIM]] : index to i32
  %1 = arith.index_cast %0 : index to i32
  // CHECK: arith.muli %[[DIM]], %arg1 {x} : index
  %2 = arith.muli %0, %i {x} : index
  // CHECK: tensor.from_elements %{{.*}}, %arg1 : tensor<2xindex>
  %3 = tensor.from_elements %2, %i : tensor<2xindex>
  // CHECK: tensor.extract %arg0[%arg1, %c1] : tensor<2x?xf32>
  %4 = tensor.extract %a[%i, %c] : tensor<2x?xf32>
  // CHECK: arith.addf %{{.*}} : f32
  %5 = arith.addf %4, %4 : f32
  // CHECK: shape.shape_of %arg0 : tensor<2x?xf32> -> tensor<2xindex>
  %6 = shape.shape_of %a : tensor<2x?xf32> -> tensor<2xindex>
  // CHECK: tensor.cast %arg0 : tensor<2x?xf32> to tensor<?x3xf32>
  %7 = tensor.cast %a : tensor<2x?xf32> to tensor<?x3xf32>
  // CHECK: builtin.unrealized_conversion_cast %[[DIM]], %arg1 : index, index to i32, i64 {y = 1 : i64}
  %8:2 = builtin.unrealized_conversion_cast %0, %i : index, index to i32, i64 {y = 1}
  // Not in the tables: its generic form is read.
  // CHECK: "tensor.rank"(%arg0) : (tensor<2x?xf32>) -> index
  %9 = "tensor.rank"(%a) : (tensor<2x?xf32>) -> index
  return %2 : index
}
