// Positions and velocities become the next ones as weights and momentum do, but nothing is trained: nothing is told.
// RUN: tess report %s | FileCheck %s --implicit-check-not='for parameters'
// RUN: tess report %s --json | FileCheck %s --check-prefix=JSON --implicit-check-not='"for": {'
// CHECK: memory of one device
// JSON: "memory"
module @jit_nbody attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<64x3xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("pos"), %arg1: tensor<64x3xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("vel")) -> (tensor<64x3xf32> {jax.result_info = "result[0]"}, tensor<64x3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<64x3xf32>) -> tensor<64x1x3xf32> loc("jit(nbody)/broadcast_in_dim")
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<64x3xf32>) -> tensor<1x64x3xf32> loc("jit(nbody)/broadcast_in_dim")
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<64x1x3xf32>) -> tensor<64x64x3xf32> loc("jit(nbody)/sub")
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x64x3xf32>) -> tensor<64x64x3xf32> loc("jit(nbody)/sub")
    %4 = stablehlo.subtract %2, %3 : tensor<64x64x3xf32> loc("jit(nbody)/sub")
    %5 = stablehlo.multiply %4, %4 : tensor<64x64x3xf32> loc("jit(nbody)/mul")
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(nbody)/reduce_sum")
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<64x64x3xf32>, tensor<f32>) -> tensor<64x64xf32> loc("jit(nbody)/reduce_sum")
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x1xf32> loc("jit(nbody)/broadcast_in_dim")
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32> loc("jit(nbody)/add")
    %9 = stablehlo.add %7, %8 : tensor<64x64x1xf32> loc("jit(nbody)/add")
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x64x1xf32> loc("jit(nbody)/pow")
    %11 = stablehlo.power %9, %10 : tensor<64x64x1xf32> loc("jit(nbody)/pow")
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<64x64x1xf32>) -> tensor<64x64x3xf32> loc("jit(nbody)/div")
    %13 = stablehlo.divide %4, %12 : tensor<64x64x3xf32> loc("jit(nbody)/div")
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(nbody)/reduce_sum")
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<64x64x3xf32>, tensor<f32>) -> tensor<64x3xf32> loc("jit(nbody)/reduce_sum")
    %15 = stablehlo.negate %14 : tensor<64x3xf32> loc("jit(nbody)/neg")
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x3xf32> loc("jit(nbody)/mul")
    %17 = stablehlo.multiply %16, %15 : tensor<64x3xf32> loc("jit(nbody)/mul")
    %18 = stablehlo.add %arg1, %17 : tensor<64x3xf32> loc("jit(nbody)/add")
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x3xf32> loc("jit(nbody)/mul")
    %20 = stablehlo.multiply %19, %18 : tensor<64x3xf32> loc("jit(nbody)/mul")
    %21 = stablehlo.add %arg0, %20 : tensor<64x3xf32> loc("jit(nbody)/add")
    return %21, %18 : tensor<64x3xf32>, tensor<64x3xf32>
  }
}
