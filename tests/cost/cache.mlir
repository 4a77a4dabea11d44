// What was touched last is in a core's cache.  Memory moves 10e9 B/s here, and the cache 40e9; arithmetic and starting a
// kernel take next to nothing.
// RUN: echo "little like=cpu memory_bandwidth=10e9 memory_efficiency=1 cache_bandwidth=40e9 launch=1e-30 flops_f32=1e18 flops_f32_default=1e18" > %t.row

// With 40000 B of cache: the first product reads %a, of 16384 B, and %b, of 8192, in memory, and writes the cache: 2.6624 us.
// The second one finds there what has just been written, and %b, since when 24576 B have been touched, itself included:
// 0.8192 us.  The third one finds the second one's result, but not %a, since when 81920 B have been touched; the program's
// result is memory of its own: 3.6864 us.
// RUN: sed 's/$/ cache=40000/' %t.row > %t.some
// RUN: tess report %s --target %t.some --json | FileCheck %s --check-prefix=SOME
// SOME: "operations": [
// SOME: "seconds": 3.6864
// SOME: "seconds": 2.6624
// SOME: "seconds": 8.192{{[0-9]*}}e-07

// With 20000 B, the second one does not find %b: 1.4336 us.
// RUN: sed 's/$/ cache=20000/' %t.row > %t.little
// RUN: tess report %s --target %t.little --json | FileCheck %s --check-prefix=LITTLE
// LITTLE: "operations": [
// LITTLE: "seconds": 3.6864
// LITTLE: "seconds": 2.6624
// LITTLE: "seconds": 1.433{{[56]}}

// With 1e6 B, the third one finds %a: 2.4576 us.
// RUN: sed 's/$/ cache=1e6/' %t.row > %t.all
// RUN: tess report %s --target %t.all --json | FileCheck %s --check-prefix=ALL
// ALL: "operations": [
// ALL: "seconds": 2.6624
// ALL: "seconds": 2.4576
// ALL: "seconds": 8.192{{[0-9]*}}e-07

// Without a cache, all is memory: 3 * 16384 B for the last one, two thirds of that for the others.
// RUN: sed 's/$/ cache=1e-30/' %t.row > %t.none
// RUN: tess report %s --target %t.none --json | FileCheck %s --check-prefix=NONE
// NONE: "operations": [
// NONE: "seconds": 4.9152
// NONE: "seconds": 3.2768
// NONE: "seconds": 3.2768

func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %a, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
