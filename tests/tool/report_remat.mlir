// A mask that rematerialised layers share is one tensor: propagation gives each layer a copy of what is
// made of constants, and a barrier only passes it on.
// RUN: tess report %s | FileCheck %s

// The mask is 8 x 256 x 256 bytes on one of two devices; two layers use it directly, two through
// barriers.
// CHECK: alive at the peak:
// CHECK-NOT: i1[
// CHECK: 524 kB temporary {{[^ ]+}} i1[8,256,256], by broadcast_in_dim
// CHECK-NOT: i1[
// CHECK: communication
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<16x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<16x256x32xf32> {
  %m = call @mask() : () -> tensor<256x256xi1>
  %mask = stablehlo.broadcast_in_dim %m, dims = [1, 2] : (tensor<256x256xi1>) -> tensor<16x256x256xi1>
  %a = call @layer(%mask, %x) : (tensor<16x256x256xi1>, tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  %b = call @layer(%mask, %a) : (tensor<16x256x256xi1>, tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  %again:2 = stablehlo.optimization_barrier %mask, %b : tensor<16x256x256xi1>, tensor<16x256x32xf32>
  %c = call @layer(%again#0, %again#1) : (tensor<16x256x256xi1>, tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  %more:2 = stablehlo.optimization_barrier %mask, %c : tensor<16x256x256xi1>, tensor<16x256x32xf32>
  %d = call @layer(%more#0, %more#1) : (tensor<16x256x256xi1>, tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  return %d : tensor<16x256x32xf32>
}
func.func private @mask() -> tensor<256x256xi1> {
  %row = stablehlo.iota dim = 0 : tensor<256x256xi32>
  %column = stablehlo.iota dim = 1 : tensor<256x256xi32>
  %mask = stablehlo.compare GE, %row, %column : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
  return %mask : tensor<256x256xi1>
}
func.func private @layer(%mask: tensor<16x256x256xi1>, %x: tensor<16x256x32xf32>) -> tensor<16x256x32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<16x256x256xf32>
  %s = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<16x256x32xf32>, tensor<16x256x32xf32>) -> tensor<16x256x256xf32>
  %t = stablehlo.select %mask, %s, %none : tensor<16x256x256xi1>, tensor<16x256x256xf32>
  %y = stablehlo.dot_general %t, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x256x256xf32>, tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  return %y : tensor<16x256x32xf32>
}
