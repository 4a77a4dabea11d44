// RUN: tess opt %s -split-input-file --canonicalize | FileCheck %s
// Collectives, reshards and manual computations that say less; Shardy's texts.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @two_exchanges(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}, {}]>}) -> tensor<8x8x8xf32> {
// CHECK-NEXT: %0 = sdy.all_to_all [{"a"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"b"}, {"a"}]> : tensor<8x8x8xf32>
// CHECK-NEXT: %1 = sdy.all_to_all [{"b"}: 1->2] %0 out_sharding=<@mesh, [{}, {}, {"a", "b"}]> : tensor<8x8x8xf32>
// CHECK-NEXT: return %1 : tensor<8x8x8xf32>
// CHECK-NEXT: }
func.func @two_exchanges(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}, {}]>}) -> tensor<8x8x8xf32> {
  %0 = sdy.all_to_all [{"a"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"b"}, {"a"}]> : tensor<8x8x8xf32>
  %1 = sdy.all_to_all [{"b"}: 1->2] %0 out_sharding=<@mesh, [{}, {}, {"a", "b"}]> : tensor<8x8x8xf32>
  return %1 : tensor<8x8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @apart(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"b"}, {}]>}) -> tensor<8x8x8x8xf32> {
// CHECK-NEXT: %0 = sdy.all_to_all [{"a"}: 0->1, {"b"}: 2->3] %arg0 out_sharding=<@mesh, [{}, {"a"}, {}, {"b"}]> : tensor<8x8x8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8x8x8xf32>
// CHECK-NEXT: }
func.func @apart(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {"b"}, {}]>}) -> tensor<8x8x8x8xf32> {
  %0 = sdy.all_to_all [{"b"}: 2->3] %arg0 out_sharding=<@mesh, [{"a"}, {}, {}, {"b"}]> : tensor<8x8x8x8xf32>
  %1 = sdy.all_to_all [{"a"}: 0->1] %0 out_sharding=<@mesh, [{}, {"a"}, {}, {"b"}]> : tensor<8x8x8x8xf32>
  return %1 : tensor<8x8x8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @there_and_back(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.all_to_all [{"a"}: 1->0] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: return %1 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @there_and_back(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  %1 = sdy.all_to_all [{"a"}: 1->0] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @gather_and_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = sdy.all_gather [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.all_gather [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %2 = sdy.all_slice [{}, {"c"}] %1 out_sharding=<@mesh, [{}, {"c"}]> : tensor<8x8xf32>
// CHECK-NEXT: %3 = sdy.all_slice [{"a"}, {}] %2 out_sharding=<@mesh, [{"a"}, {"c"}]> : tensor<8x8xf32>
// CHECK-NEXT: return %3 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @gather_and_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.all_gather [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_slice [{}, {"c"}] %1 out_sharding=<@mesh, [{}, {"c"}]> : tensor<8x8xf32>
  %3 = sdy.all_slice [{"a"}, {}] %2 out_sharding=<@mesh, [{"a"}, {"c"}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @reduce_and_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"a", "b"}>}) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = sdy.all_reduce {"a", "b"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.all_slice [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: return %1 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @reduce_and_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"a", "b"}>}) -> tensor<8x8xf32> {
  %0 = sdy.all_reduce {"a", "b"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @manual_over_nothing(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @manual_over_nothing(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=1, "b"=2, "c"=2]>

// CHECK: func.func @manual_over_one_device(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @manual_over_one_device(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<8x8xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @unused(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg2: tensor<4x8xf32>) {
// CHECK-NEXT: %1 = stablehlo.negate %arg2 : tensor<4x8xf32>
// CHECK-NEXT: sdy.return %1, %1 : tensor<4x8xf32>, tensor<4x8xf32>
// CHECK-NEXT: } : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK-NEXT: return %0#0 : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @unused(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) {
    %1 = stablehlo.negate %arg2 : tensor<4x8xf32>
    sdy.return %1, %1 : tensor<4x8xf32>, tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %0#0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// CHECK: func.func @reshards(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.reshard %0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %2 = sdy.reshard %0 <@mesh, [{}, {"c"}]> : tensor<8x8xf32>
// CHECK-NEXT: return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
// CHECK-NEXT: }
func.func @reshards(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.reshard %arg0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  %3 = sdy.reshard %0 <@mesh, [{}, {"c"}]> : tensor<8x8xf32>
  return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
