// RUN: tess opt %s -canonicalize | FileCheck %s
// A reshard of data that was brought there already, perhaps in another shape, is not done again.
// Shardy makes the same of each.
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @one = <["x"=1, "y"=1]>
// CHECK-LABEL: func.func @reshape_of_same
func.func @reshape_of_same(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<16x2xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<16x2xf32>
  // CHECK-NEXT: return %0, %1 : tensor<8x4xf32>, tensor<16x2xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<16x2xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<16x2xf32>
}

// CHECK-LABEL: func.func @other_distribution
func.func @other_distribution(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<16x2xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<16x2xf32>
  // CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<16x2xf32>
  // CHECK-NEXT: return %0, %2 : tensor<8x4xf32>, tensor<16x2xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<16x2xf32>
  %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<16x2xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<16x2xf32>
}

// CHECK-LABEL: func.func @transposed
func.func @transposed(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<4x8xf32>
  // CHECK-NEXT: return %0, %2 : tensor<8x4xf32>, tensor<4x8xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<4x8xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshaped_first
func.func @reshaped_first(%a: tensor<8x4xf32>) -> (tensor<32xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %0 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
  // CHECK-NEXT: %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<32xf32>
  // CHECK-NEXT: %2 = stablehlo.reshape %1 : (tensor<32xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %1, %2 : tensor<32xf32>, tensor<8x4xf32>
  %0 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<32xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<32xf32>
  %2 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  return %1, %2 : tensor<32xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @split_axes
func.func @split_axes(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4x4xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x", "y"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  // CHECK-NEXT: return %0, %1 : tensor<8x4xf32>, tensor<2x4x4xf32>
  %0 = sdy.reshard %a <@mesh, [{"x", "y"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {"y"}, {}]> : tensor<2x4x4xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @parts_of_an_axis
func.func @parts_of_an_axis(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4x4xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"z"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  // CHECK-NEXT: return %0, %1 : tensor<8x4xf32>, tensor<2x4x4xf32>
  %0 = sdy.reshard %a <@mesh, [{"z"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  %2 = sdy.reshard %1 <@mesh, [{"z":(1)2}, {"z":(2)2}, {}]> : tensor<2x4x4xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @uneven
func.func @uneven(%a: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<12x2xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"z"}, {}]> : tensor<6x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %arg0 : (tensor<6x4xf32>) -> tensor<12x2xf32>
  // CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"z"}, {}]> : tensor<12x2xf32>
  // CHECK-NEXT: return %0, %2 : tensor<6x4xf32>, tensor<12x2xf32>
  %0 = sdy.reshard %a <@mesh, [{"z"}, {}]> : tensor<6x4xf32>
  %1 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<12x2xf32>
  %2 = sdy.reshard %1 <@mesh, [{"z"}, {}]> : tensor<12x2xf32>
  return %0, %2 : tensor<6x4xf32>, tensor<12x2xf32>
}

// CHECK-LABEL: func.func @replicated_axes_differ
func.func @replicated_axes_differ(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<16x2xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<16x2xf32>
  // CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"x"}, {}], replicated={"y"}> : tensor<16x2xf32>
  // CHECK-NEXT: return %0, %2 : tensor<8x4xf32>, tensor<16x2xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<16x2xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {}], replicated={"y"}> : tensor<16x2xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<16x2xf32>
}

// CHECK-LABEL: func.func @in_another_block
func.func @in_another_block(%a: tensor<8x4xf32>, %p: tensor<i1>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %1 = "stablehlo.if"(%arg1) ({
  // CHECK-NEXT: %2 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.return %2 : tensor<8x4xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: stablehlo.return %arg0 : tensor<8x4xf32>
  // CHECK-NEXT: }) : (tensor<i1>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = "stablehlo.if"(%p) ({
    %2 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
    stablehlo.return %2 : tensor<8x4xf32>
  }, {
    stablehlo.return %a : tensor<8x4xf32>
  }) : (tensor<i1>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @same_twice
func.func @same_twice(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: return %0, %0 : tensor<8x4xf32>, tensor<8x4xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @transposed_square
func.func @transposed_square(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @transposed_and_reshaped
func.func @transposed_and_reshaped(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<64xf32>) {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<64xf32>
  // CHECK-NEXT: return %0, %2 : tensor<8x8xf32>, tensor<64xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<64xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}]> : tensor<64xf32>
  return %0, %3 : tensor<8x8xf32>, tensor<64xf32>
}
