// What a report says of a program small enough to count by hand.

// Four devices: [16,8] x [8,32] on each, so 2*16*8*32 FLOP, and (128 + 256 + 512) * 4 bytes;
// twice, in a loop of ten iterations, each of which fits into the cache: 3584 B at 0.9 of 20e9 B/s
// each, which is more than 8192 FLOP at 16 / (16 + 32) of 0.8 of 175e9, for 16 rows, and two
// microseconds to start each: 20 * (199.1 ns + 2 us).
// RUN: tess report %s --target cpu --json | FileCheck %s --check-prefix=OPS
// OPS: "operations": [
// OPS: "op": "stablehlo.dot_general",
// OPS-NEXT: "operands": [
// OPS-NEXT: "f32[16,8]",
// OPS-NEXT: "f32[8,32]"
// OPS: "results": [
// OPS-NEXT: "f32[16,32]"
// OPS: "count": 2,
// OPS-NEXT: "times": 20,
// OPS-NEXT: "flops": 163840,
// OPS-NEXT: "bytes": 71680,
// OPS-NEXT: "seconds": 4.398222{{[0-9]*}}e-05,
// OPS-NEXT: "bound": "memory"

// Arguments 16*8*4 + 2 * 8*32*4, the result 16*32*4.
// RUN: tess report %s --target cpu | FileCheck %s --check-prefix=TEXT
// TEXT: on cpu, 4 devices, mesh x=4
// TEXT: arguments 2.56 kB, results 2.05 kB
// TEXT: 1 collective, 30.7 kB sent by each device
// TEXT: over x: 1 collective, 30.7 kB
// TEXT: 0 all_reduce {{ *}}x {{ *}}1x4 {{ *}}2.05 kB
// TEXT: dot_general {{ *}}20 {{ *}}44.0 us {{ *}}164 kFLOP {{ *}}71.7 kB {{ *}}f32[16,8], f32[8,32] -> f32[16,32]
// TEXT: largest replicated tensors

// RUN: tess report %s --html %t.html > %t.txt && FileCheck %s --check-prefix=PAGE < %t.html
// PAGE: <!doctype html>
// PAGE-NOT: {{src|href}}="http
// PAGE: "operations":[{"op":"dot_general"

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<16x32xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<16x32xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %2 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<16x32xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<16x32xf32>
  }
  return %0#1 : tensor<16x32xf32>
}
