// What lies in the memory of the host is no memory of the device, and is listed apart: arguments and
// results of that memory kind, and what a loop offloads, with the buffer into which it does.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/check_report.py tess %s

// On the device: %x, 8 x 4 floats on one of two devices, and the sum that is returned.  On the host:
// %moments, which its result replaces, and 4 x 8 x 4 floats that the loop saves, of which the second
// loop takes one part back in each turn.
// CHECK: arguments 128 B, results 4 B, temporaries {{[0-9]+}} B
// CHECK-NOT: f32[4,8,4]
// CHECK: in the memory of the host, for each device: peak 768 B; arguments 256 B, results 256 B (256 B in donated arguments), temporaries 512 B
// CHECK-NEXT: 512 B temporary %{{[^ ]+}} f32[4,8,4], by while
// CHECK-NEXT: 256 B argument %moments f32[16,4]
// CHECK-EMPTY:

// RUN: tess report %s --json | FileCheck %s --check-prefix=JSON
// JSON: "arguments": 128,
// JSON: "host": {
// JSON-NEXT: "peak": 768,
// JSON-NEXT: "arguments": 256,
// JSON-NEXT: "results": 256,
// JSON-NEXT: "donated": 256,
// JSON-NEXT: "temporaries": 512,

// The kinds stay with the program of one device.
// RUN: tess partition %s | FileCheck %s --check-prefix=LOCAL
// LOCAL: %arg1: tensor<16x4xf32> {jax.buffer_donor = true, mhlo.memory_kind = "pinned_host"
// LOCAL-SAME: -> (tensor<f32> {{.*}}, tensor<16x4xf32> {mhlo.memory_kind = "pinned_host"
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<16x4xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %moments: tensor<16x4xf32> {jax.buffer_donor = true, mhlo.memory_kind = "pinned_host"})
    -> (tensor<f32>, tensor<16x4xf32> {mhlo.memory_kind = "pinned_host"}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x16x4xf32>
  %w:3 = stablehlo.while(%i = %first, %c = %x, %saved = %none) : tensor<i32>, tensor<16x4xf32>, tensor<4x16x4xf32>
    cond {
      %lt = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %s = stablehlo.sine %c : tensor<16x4xf32>
      %h = stablehlo.custom_call @annotate_device_placement(%s) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<16x4xf32>) -> tensor<16x4xf32>
      %r = stablehlo.reshape %h : (tensor<16x4xf32>) -> tensor<1x16x4xf32>
      %u = stablehlo.dynamic_update_slice %saved, %r, %i, %first, %first : (tensor<4x16x4xf32>, tensor<1x16x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %s, %u : tensor<i32>, tensor<16x4xf32>, tensor<4x16x4xf32>
    }
  %b:2 = stablehlo.while(%i = %first, %c = %w#1) : tensor<i32>, tensor<16x4xf32>
    cond {
      %lt = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %p = stablehlo.dynamic_slice %w#2, %i, %first, %first, sizes = [1, 16, 4] : (tensor<4x16x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x4xf32>
      %q = stablehlo.reshape %p : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
      %d = stablehlo.custom_call @annotate_device_placement(%q) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<16x4xf32>) -> tensor<16x4xf32>
      %m = stablehlo.multiply %c, %d : tensor<16x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %m : tensor<i32>, tensor<16x4xf32>
    }
  %sum = stablehlo.reduce(%b#1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
  %kept = stablehlo.custom_call @annotate_device_placement(%moments) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<16x4xf32>) -> tensor<16x4xf32>
  return %sum, %kept : tensor<f32>, tensor<16x4xf32>
}
