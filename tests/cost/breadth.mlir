// RUN: tess report --json --target cpu %s | FileCheck %s

// XLA's compiler for CPUs runs what could run first first: both %k and %v, 65,536 bytes each, are brought into
// the order of their products at once, and not each when its product runs.  With the scores, 4,096 bytes, that is
// what XLA says.
// CHECK: "temporaries": 135168,
// CHECK: "temporaries_lower": 69632,
// CHECK: "temporaries_upper": 135168,
func.func @main(%q: tensor<4x4x16xf32>, %k: tensor<4x64x4x16xf32>, %v: tensor<4x64x4x16xf32>) -> tensor<4x4x16xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<4x4x16xf32>, tensor<4x64x4x16xf32>) -> tensor<4x4x64xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4x64xf32>
  %2 = stablehlo.dot_general %1, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<4x4x64xf32>, tensor<4x64x4x16xf32>) -> tensor<4x4x16xf32>
  return %2 : tensor<4x4x16xf32>
}
