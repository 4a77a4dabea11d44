// RUN: tess opt %s -split-input-file --sdy-insert-explicit-reshards=enable-full-version=true | FileCheck %s
// Where an operation cannot run in place: which of its operands and results are resharded, and how.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<4x24x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "d", "c"}, {"a"}, {}, {}]>}) -> tensor<96x96xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"b", "c":(1)2}, {"d", "c":(2)2, "a"}, {}, {}]> : tensor<4x24x6x16xf32>
// CHECK-NEXT: %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "c":(1)2, "d", "c":(2)2, "a"}, {}]>]>} : (tensor<4x24x6x16xf32>) -> tensor<96x96xf32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"d", "b"}, {}]> : tensor<96x96xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<96x96xf32>
// CHECK-NEXT: return %3 : tensor<96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<4x24x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "d", "c"}, {"a"}, {}, {}]>}) -> tensor<96x96xf32> {
  %r = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d", "b"}, {}]>]>} : (tensor<4x24x6x16xf32>) -> tensor<96x96xf32>
  return %r : tensor<96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, "b"}, {"d", "c":(2)2}]>}) -> tensor<96x96xcomplex<f32>> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"c":(1)2, "b", "d", "c":(2)2}, {}]> : tensor<96x96xcomplex<f32>>
// CHECK-NEXT: %1 = stablehlo.fft %0, type = FFT, length = [96] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c":(1)2, "b", "d", "c":(2)2}, {}]>]>} : (tensor<96x96xcomplex<f32>>) -> tensor<96x96xcomplex<f32>>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{}, {"d", "a"}]> : tensor<96x96xcomplex<f32>>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<96x96xcomplex<f32>>
// CHECK-NEXT: return %3 : tensor<96x96xcomplex<f32>>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2, "b"}, {"d", "c":(2)2}]>}) -> tensor<96x96xcomplex<f32>> {
  %r = stablehlo.fft %arg0, type = FFT, length = [96] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"d", "a"}]>]>} : (tensor<96x96xcomplex<f32>>) -> tensor<96x96xcomplex<f32>>
  return %r : tensor<96x96xcomplex<f32>>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<4x24x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)2}, {"b"}, {"a"}, {}]>}) -> tensor<96x96xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"c":(1)2, "b"}, {}, {"a"}, {}]> : tensor<4x24x6x16xf32>
// CHECK-NEXT: %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c":(1)2, "b"}, {"a"}]>]>} : (tensor<4x24x6x16xf32>) -> tensor<96x96xf32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"c":(1)2, "b"}, {}]> : tensor<96x96xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<96x96xf32>
// CHECK-NEXT: return %3 : tensor<96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<4x24x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)2}, {"b"}, {"a"}, {}]>}) -> tensor<96x96xf32> {
  %r = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c":(1)2, "b"}, {}]>]>} : (tensor<4x24x6x16xf32>) -> tensor<96x96xf32>
  return %r : tensor<96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)2}, {"a"}]>}) -> tensor<96xf32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c":(2)2}]>]>} : (tensor<96x96xf32>, tensor<f32>) -> tensor<96xf32>
// CHECK-NEXT: %1 = sdy.all_reduce min {"a"} %0 out_sharding=<@mesh, [{"c":(2)2}]> : tensor<96xf32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{"b"}]> : tensor<96xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}]> : tensor<96xf32>
// CHECK-NEXT: return %3 : tensor<96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)2}, {"a"}]>}) -> tensor<96xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%arg0 init: %c) applies stablehlo.minimum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} : (tensor<96x96xf32>, tensor<f32>) -> tensor<96xf32>
  return %r : tensor<96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}) -> tensor<96x24xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"a", "b"}, {"c":(1)2}]> : tensor<96x96xf32>
// CHECK-NEXT: %1 = sdy.reshard %arg1 <@mesh, [{"c":(1)2}, {"c":(2)2}]> : tensor<96x24xf32>
// CHECK-NEXT: %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}, {"c":(2)2}], unreduced={"d"}>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
// CHECK-NEXT: %3 = sdy.all_reduce {"c":(1)2} %2 out_sharding=<@mesh, [{"a", "b"}, {"c":(2)2}], unreduced={"d"}> : tensor<96x24xf32>
// CHECK-NEXT: %4 = sdy.reshard %3 <@mesh, [{"a"}, {"c":(2)2}], unreduced={"d"}> : tensor<96x24xf32>
// CHECK-NEXT: %5 = sdy.all_reduce {"d"} %4 out_sharding=<@mesh, [{"a"}, {"c":(2)2}]> : tensor<96x24xf32>
// CHECK-NEXT: %6 = sdy.reshard %5 <@mesh, [{}, {}]> : tensor<96x24xf32>
// CHECK-NEXT: return %6 : tensor<96x24xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<96x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}) -> tensor<96x24xf32> {
  %r = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"c":(2)2}], unreduced={"d"}>]>} : (tensor<96x96xf32>, tensor<96x24xf32>) -> tensor<96x24xf32>
  return %r : tensor<96x24xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<24x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c":(2)2}, {"d", "b", "c":(1)2}, {}]>}) -> tensor<24x96x96xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"a", "c":(2)2, "d", "b"}, {}, {}]> : tensor<24x96x96xf32>
// CHECK-NEXT: %1 = stablehlo.cholesky %0, lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "c":(2)2, "d", "b"}, {}, {}]>]>} : tensor<24x96x96xf32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@mesh, [{}, {}, {"b"}]> : tensor<24x96x96xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}, {}]> : tensor<24x96x96xf32>
// CHECK-NEXT: return %3 : tensor<24x96x96xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<24x96x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c":(2)2}, {"d", "b", "c":(1)2}, {}]>}) -> tensor<24x96x96xf32> {
  %r = stablehlo.cholesky %arg0, lower = true {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"b"}]>]>} : tensor<24x96x96xf32>
  return %r : tensor<24x96x96xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=3]>

// CHECK: func.func @f(%arg0: tensor<24x48x48x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"b"}]>}, %arg1: tensor<3x3x12x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}, {}]>}) -> tensor<24x48x48x24xf32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"b", "d", "a"}, {"c"}, {}, {}]> : tensor<24x48x48x12xf32>
// CHECK-NEXT: %1 = sdy.reshard %arg1 <@mesh, [{}, {}, {}, {}]> : tensor<3x3x12x24xf32>
// CHECK-NEXT: %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = {{\[\[}}1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "d", "a"}, {"c"}, {}, {}]>]>} : (tensor<24x48x48x12xf32>, tensor<3x3x12x24xf32>) -> tensor<24x48x48x24xf32>
// CHECK-NEXT: %3 = sdy.reshard %2 <@mesh, [{}, {}, {}, {}]> : tensor<24x48x48x24xf32>
// CHECK-NEXT: return %3 : tensor<24x48x48x24xf32>
// CHECK-NEXT: }
func.func @f(%arg0: tensor<24x48x48x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"b"}]>}, %arg1: tensor<3x3x12x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}, {}]>}) -> tensor<24x48x48x24xf32> {
  %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "d", "a"}, {"c"}, {}, {}]>]>} : (tensor<24x48x48x12xf32>, tensor<3x3x12x24xf32>) -> tensor<24x48x48x24xf32>
  return %r : tensor<24x48x48x24xf32>
}
