// What is alive at the peak adds up to the peak: with what a loop needs inside of it, and without
// the result that takes over a donated argument's memory.
// RUN: tess report %s | FileCheck %s

// A turn of the loop makes %p, 8 x 4 x 4 x 4 bytes, and from it %d, 8 x 4 x 4: 640.
// CHECK: peak 1.02 kB of {{.*}} arguments 256 B, results 256 B (128 B in donated arguments), temporaries 640 B
// CHECK-NEXT: alive at the peak:
// CHECK-NEXT: {{^    }}640 B inside %{{[^ ,]+}}, by while
// CHECK-NEXT: {{^      }}512 B temporary %{{[^ ]+}} f32[8,4,4], by dot_general
// CHECK-NEXT: {{^      }}128 B temporary %{{[^ ]+}} f32[8,4], by dot_general
// CHECK-NEXT: 256 B 2 x argument %a, … f32[8,4]
// CHECK-NEXT: 128 B result %{{.*}} f32[8,4], by while
// CHECK-EMPTY:

// RUN: tess report %s --json | FileCheck %s --check-prefix=JSON
// JSON: "role": "inside"
// JSON: "within": [
// JSON-NEXT: {
// JSON-NEXT: "bytes": 512,
// JSON-NEXT: "role": "temporary",
// JSON-NEXT: "value": "%{{.*}}",
// JSON-NEXT: "type": "f32[8,4,4]"
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}, %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
  %s = stablehlo.add %a, %b : tensor<16x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %w:2 = stablehlo.while(%i = %zero, %c = %b) : tensor<i32>, tensor<16x4xf32>
    cond {
      %lt = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %p = stablehlo.dot_general %c, %c, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4x4xf32>
      %d = stablehlo.dot_general %p, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x4x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %d : tensor<i32>, tensor<16x4xf32>
    }
  return %s, %w#1 : tensor<16x4xf32>, tensor<16x4xf32>
}
