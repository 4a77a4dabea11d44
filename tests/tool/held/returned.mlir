// jax.value_and_grad alone: what is returned by the names of arguments are their gradients, so these are parameters:
// 3,232 bytes as in adamw.mlir, and so are the gradients; the activations are two values of 32*32 f32 and one of 32*8.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 3.23 kB, gradients 3.23 kB, activations 9.22 kB, inputs 3.07 kB, outputs 4 B
module @jit_loss attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>} loc("p['down']['b']"), %arg1: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("p['down']['w']"), %arg2: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>} loc("p['up']['b']"), %arg3: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("p['up']['w']"), %arg4: tensor<32x16xf32> loc("x"), %arg5: tensor<32x8xf32> loc("y")) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]['down']['b']"}, tensor<64x8xf32> {jax.result_info = "result[1]['down']['w']"}, tensor<64xf32> {jax.result_info = "result[1]['up']['b']"}, tensor<16x64xf32> {jax.result_info = "result[1]['up']['w']"}) {
    %0 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32> loc("jit(loss)/jvp()/dot_general")
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(loss)/jvp()/broadcast_in_dim")
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(loss)/jvp()/add")
    %3 = stablehlo.add %0, %2 : tensor<32x64xf32> loc("jit(loss)/jvp()/add")
    %4 = stablehlo.tanh %3 : tensor<32x64xf32> loc("jit(loss)/jvp()/tanh")
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32> loc("jit(loss)/jvp()/sub")
    %6 = stablehlo.subtract %5, %4 : tensor<32x64xf32> loc("jit(loss)/jvp()/sub")
    %7 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32> loc("jit(loss)/jvp()/dot_general")
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(loss)/jvp()/broadcast_in_dim")
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<32x8xf32> loc("jit(loss)/jvp()/add")
    %10 = stablehlo.add %7, %9 : tensor<32x8xf32> loc("jit(loss)/jvp()/add")
    %11 = stablehlo.subtract %10, %arg5 : tensor<32x8xf32> loc("jit(loss)/jvp()/sub")
    %12 = stablehlo.multiply %11, %11 : tensor<32x8xf32> loc("jit(loss)/jvp()/integer_pow")
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(loss)/jvp()/mul")
    %14 = stablehlo.multiply %13, %11 : tensor<32x8xf32> loc("jit(loss)/jvp()/mul")
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(loss)/jvp()/reduce_sum")
    %15 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32> loc("jit(loss)/jvp()/reduce_sum")
    %cst_2 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_2 : tensor<f32> loc("jit(loss)/jvp()/div")
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %17 = stablehlo.divide %cst_3, %cst_4 : tensor<f32> loc("jit(loss)/transpose(jvp())/div")
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(loss)/transpose(jvp())/broadcast_in_dim")
    %19 = stablehlo.multiply %18, %14 : tensor<32x8xf32> loc("jit(loss)/transpose(jvp())/mul")
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %20 = stablehlo.reduce(%19 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<32x8xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %21 = stablehlo.reshape %20 : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(loss)/transpose(jvp())/reshape")
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %22 = stablehlo.reduce(%21 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %23 = stablehlo.dot_general %19, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<32x64xf32>) -> tensor<8x64xf32> loc("jit(loss)/transpose(jvp())/dot_general")
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32> loc("jit(loss)/transpose(jvp())/transpose")
    %25 = stablehlo.dot_general %19, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<64x8xf32>) -> tensor<32x64xf32> loc("jit(loss)/transpose(jvp())/dot_general")
    %26 = stablehlo.multiply %25, %6 : tensor<32x64xf32> loc("jit(loss)/transpose(jvp())/mul")
    %27 = stablehlo.multiply %26, %4 : tensor<32x64xf32> loc("jit(loss)/transpose(jvp())/mul")
    %28 = stablehlo.add %26, %27 : tensor<32x64xf32> loc("jit(loss)/transpose(jvp())/add_any")
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %30 = stablehlo.reshape %29 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(loss)/transpose(jvp())/reshape")
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(loss)/transpose(jvp())/reduce_sum")
    %32 = stablehlo.dot_general %28, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(loss)/transpose(jvp())/dot_general")
    %33 = stablehlo.transpose %32, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32> loc("jit(loss)/transpose(jvp())/transpose")
    return %16, %22, %24, %31, %33 : tensor<f32>, tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x64xf32>
  }
}
