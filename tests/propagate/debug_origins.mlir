// RUN: tess opt %s -split-input-file --sdy-add-data-flow-edges --sdy-apply-sharding-constraints=debug-sharding-origins=true --sdy-aggressive-propagate=debug-sharding-origins=true --sdy-sink-data-flow-edges=sink-debug-sharding-origins=true | FileCheck %s
// RUN: tess opt %s -split-input-file --sdy-add-data-flow-edges --sdy-apply-sharding-constraints=debug-sharding-origins=true --sdy-aggressive-propagate=debug-sharding-origins=true --sdy-sink-data-flow-edges=sink-debug-sharding-origins=true | tess opt -split-input-file | FileCheck %s
// RUN: tess opt %s -split-input-file --sdy-add-data-flow-edges --sdy-apply-sharding-constraints=debug-sharding-origins=true --sdy-aggressive-propagate=debug-sharding-origins=true --sdy-sink-data-flow-edges=sink-debug-sharding-origins=true | tess opt -split-input-file --sdy-remove-propagation-debug-info | FileCheck %s --check-prefix=GONE
// GONE-NOT: origins
// Where each axis came from; Shardy writes the same.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @constraints(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>, sdy.sharding_origins = {a = "self"}}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "input: 0", b = "constraint_0"}}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "input: 0", b = "constraint_0"}}) {
// CHECK-NEXT: %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>, sdy.sharding_origins = [{a = "input: 0", b = "constraint_0"}]} : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}, {"b"}]> {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {a = "input: 0", b = "self"}} : tensor<8x8xf32>
// CHECK-NEXT: %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>, sdy.sharding_origins = [{a = "input: 0", b = "constraint_0"}]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return %2 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @constraints(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"b"}]> : tensor<8x8xf32>
  %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @manual(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", ?}]>, sdy.sharding_origins = {b = "mc_0_input: 0"}}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>, sdy.sharding_origins = {a = "mc_0_output: 0", c = "mc_0_output: 0"}}) {
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {"b", ?}]>] out_shardings=[<@mesh, [{"a", ?}, {"c", ?}]>] manual_axes={"a"} (%arg1: tensor<4x8xf32>) {
// CHECK-NEXT: %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>, sdy.sharding_origins = [{b = "mc_0_input: 0"}]} : tensor<4x8xf32>
// CHECK-NEXT: sdy.return %2 : tensor<4x8xf32>
// CHECK-NEXT: } {sdy.block_arg_sharding_origins = [{a = "self", b = "self"}], sdy.result_sharding_origins = [{a = "self", c = "self"}], sdy.sharding_origin_name = "mc_0"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %1 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"c", ?}]>]>, sdy.sharding_origins = [{a = "mc_0_output: 0", c = "mc_0_output: 0"}]} : tensor<8x8xf32>
// CHECK-NEXT: return %1 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @manual(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", ?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {"c", ?}]>] manual_axes={"a"} (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.tanh %0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>, sdy.sharding_origins = {a = "self"}}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>, sdy.sharding_origins = {b = "self"}}, %arg2: tensor<i32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>, sdy.sharding_origins = {a = "input: 0"}}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>, sdy.sharding_origins = {b = "input: 1"}}) {
// CHECK-NEXT: %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2) : tensor<8xf32>, tensor<8xf32>, tensor<i32> attributes {sdy.block_arg_sharding_origins = [], sdy.result_sharding_origins = [{a = "input: 0"}, {b = "input: 1"}], sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>, <@mesh, [{"b", ?}]>, <@mesh, []>]>}
// CHECK-NEXT: cond {
// CHECK-NEXT: %1 = stablehlo.compare LT, %iterArg_1, %arg2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %1 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %1 = stablehlo.add %iterArg_0, %iterArg_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>, sdy.sharding_origins = [{b = "input: 1"}]} : tensor<8xf32>
// CHECK-NEXT: stablehlo.return %iterArg, %1, %iterArg_1 : tensor<8xf32>, tensor<8xf32>, tensor<i32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT: }
func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}, %arg2: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:3 = stablehlo.while(%x = %arg0, %y = %arg1, %i = %arg2) : tensor<8xf32>, tensor<8xf32>, tensor<i32>
   cond {
    %c = stablehlo.compare LT, %i, %arg2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.add %y, %y : tensor<8xf32>
    stablehlo.return %x, %s, %i : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

// CHECK: func.func @split_axes(%arg0: tensor<4x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"c"}, {}]>, sdy.sharding_origins = {a = "self", c = "self"}}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>, sdy.sharding_origins = {a = "input: 0", b = "self"}}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, ?}, {"b", ?}]>, sdy.sharding_origins = {b = "input: 1", "c:(1)2" = "constraint_0"}}) {
// CHECK-NEXT: %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>, sdy.sharding_origins = [{a = "input: 0", b = "input: 1", c = "input: 0"}]} : (tensor<4x4x8xf32>) -> tensor<16x8xf32>
// CHECK-NEXT: %1 = stablehlo.add %0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {"b", ?}]>]>, sdy.sharding_origins = [{a = "input: 0", b = "input: 1"}]} : tensor<16x8xf32>
// CHECK-NEXT: %2 = sdy.sharding_constraint %1 <@mesh, [{"c":(1)2, ?}, {"b", ?}]> {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {b = "input: 1", "c:(1)2" = "self"}} : tensor<16x8xf32>
// CHECK-NEXT: return %2 : tensor<16x8xf32>
// CHECK-NEXT: }
func.func @split_axes(%arg0: tensor<4x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"c"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.reshape %arg0 : (tensor<4x4x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<16x8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"c":(1)2, ?}, {?}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
