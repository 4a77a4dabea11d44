// flax.linen's TrainState with batch norm and optax.adam, donated, parameters whole, the batch of 32 over data=4.
// By hand: parameters (16*64 + 64 + 2*64 + 64*8 + 8) f32 = 6,944 bytes, optimizer state twice that and a count.
// What batch norm keeps is no parameter: 2*64 f32, and the step's number, are other.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 6.94 kB, optimizer state 13.9 kB, gradients 6.69 kB, {{.*}}inputs 768 B, outputs 4 B, other 516 B
module @jit_lstep attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]>
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>} loc("state.step"), %arg1: tensor<64xf32> {jax.buffer_donor = true} loc("state.params['BatchNorm_0']['bias']"), %arg2: tensor<64xf32> {jax.buffer_donor = true} loc("state.params['BatchNorm_0']['scale']"), %arg3: tensor<64xf32> {jax.buffer_donor = true} loc("state.params['Dense_0']['bias']"), %arg4: tensor<16x64xf32> {jax.buffer_donor = true} loc("state.params['Dense_0']['kernel']"), %arg5: tensor<8xf32> {jax.buffer_donor = true} loc("state.params['Dense_1']['bias']"), %arg6: tensor<64x8xf32> {jax.buffer_donor = true} loc("state.params['Dense_1']['kernel']"), %arg7: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>} loc("state.opt_state[0].count"), %arg8: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['BatchNorm_0']['bias']"), %arg9: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['BatchNorm_0']['scale']"), %arg10: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['Dense_0']['bias']"), %arg11: tensor<16x64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['Dense_0']['kernel']"), %arg12: tensor<8xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['Dense_1']['bias']"), %arg13: tensor<64x8xf32> {jax.buffer_donor = true} loc("state.opt_state[0].mu['Dense_1']['kernel']"), %arg14: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['BatchNorm_0']['bias']"), %arg15: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['BatchNorm_0']['scale']"), %arg16: tensor<64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['Dense_0']['bias']"), %arg17: tensor<16x64xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['Dense_0']['kernel']"), %arg18: tensor<8xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['Dense_1']['bias']"), %arg19: tensor<64x8xf32> {jax.buffer_donor = true} loc("state.opt_state[0].nu['Dense_1']['kernel']"), %arg20: tensor<64xf32> {jax.buffer_donor = true} loc("state.batch_stats['BatchNorm_0']['mean']"), %arg21: tensor<64xf32> {jax.buffer_donor = true} loc("state.batch_stats['BatchNorm_0']['var']"), %arg22: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch['x']"), %arg23: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch['y']")) -> (tensor<i32> {jax.result_info = "result[0].step"}, tensor<64xf32> {jax.result_info = "result[0].params['BatchNorm_0']['bias']"}, tensor<64xf32> {jax.result_info = "result[0].params['BatchNorm_0']['scale']"}, tensor<64xf32> {jax.result_info = "result[0].params['Dense_0']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0].params['Dense_0']['kernel']"}, tensor<8xf32> {jax.result_info = "result[0].params['Dense_1']['bias']"}, tensor<64x8xf32> {jax.result_info = "result[0].params['Dense_1']['kernel']"}, tensor<i32> {jax.result_info = "result[0].opt_state[0].count"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].mu['BatchNorm_0']['bias']"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].mu['BatchNorm_0']['scale']"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].mu['Dense_0']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0].opt_state[0].mu['Dense_0']['kernel']"}, tensor<8xf32> {jax.result_info = "result[0].opt_state[0].mu['Dense_1']['bias']"}, tensor<64x8xf32> {jax.result_info = "result[0].opt_state[0].mu['Dense_1']['kernel']"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].nu['BatchNorm_0']['bias']"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].nu['BatchNorm_0']['scale']"}, tensor<64xf32> {jax.result_info = "result[0].opt_state[0].nu['Dense_0']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0].opt_state[0].nu['Dense_0']['kernel']"}, tensor<8xf32> {jax.result_info = "result[0].opt_state[0].nu['Dense_1']['bias']"}, tensor<64x8xf32> {jax.result_info = "result[0].opt_state[0].nu['Dense_1']['kernel']"}, tensor<64xf32> {jax.result_info = "result[0].batch_stats['BatchNorm_0']['mean']"}, tensor<64xf32> {jax.result_info = "result[0].batch_stats['BatchNorm_0']['var']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg22, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/Dense_0/dot_general")
    %1 = stablehlo.reshape %arg3 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/Dense_0/reshape")
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/Dense_0/add")
    %3 = stablehlo.add %0, %2 : tensor<32x64xf32> loc("jit(lstep)/jvp(M)/Dense_0/add")
    %4 = chlo.square %3 : tensor<32x64xf32> -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/square")
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %6 = stablehlo.multiply %5, %3 : tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reduce_sum")
    %7 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reduce_sum")
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %9 = stablehlo.divide %7, %8 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reduce_sum")
    %10 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reduce_sum")
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %12 = stablehlo.divide %10, %11 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %13 = chlo.square %9 : tensor<64xf32> -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/square")
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %15 = stablehlo.multiply %14, %9 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %16 = stablehlo.subtract %12, %13 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/sub")
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/max")
    %18 = stablehlo.maximum %17, %16 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/max")
    %19 = stablehlo.compare EQ, %16, %18, FLOAT : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1> loc("jit(lstep)/jvp(M)/BatchNorm_0/eq")
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %22 = stablehlo.select %19, %20, %21 : tensor<64xi1>, tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/select_n")
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/eq")
    %24 = stablehlo.compare EQ, %23, %18, FLOAT : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1> loc("jit(lstep)/jvp(M)/BatchNorm_0/eq")
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %27 = stablehlo.select %24, %25, %26 : tensor<64xi1>, tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/select_n")
    %28 = stablehlo.divide %22, %27 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %cst_11 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %30 = stablehlo.multiply %29, %arg20 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %32 = stablehlo.multiply %31, %9 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %33 = stablehlo.add %30, %32 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %cst_13 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %35 = stablehlo.multiply %34, %arg21 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %37 = stablehlo.multiply %36, %18 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %38 = stablehlo.add %35, %37 : tensor<64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %39 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %40 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/broadcast_in_dim")
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/sub")
    %42 = stablehlo.subtract %3, %41 : tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/sub")
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %44 = stablehlo.add %40, %43 : tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %45 = stablehlo.rsqrt %44 : tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/rsqrt")
    %46 = stablehlo.divide %45, %44 : tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/div")
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %48 = stablehlo.multiply %47, %46 : tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %49 = stablehlo.reshape %arg2 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reshape")
    %50 = stablehlo.multiply %45, %49 : tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %52 = stablehlo.multiply %42, %51 : tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/mul")
    %53 = stablehlo.reshape %arg1 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/reshape")
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %55 = stablehlo.add %52, %54 : tensor<32x64xf32> loc("jit(lstep)/jvp(M)/BatchNorm_0/add")
    %56 = call @relu(%55) : (tensor<32x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/jit(relu)")
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<32x64xf32> loc("jit(lstep)/jvp(M)/gt")
    %58 = stablehlo.compare GT, %55, %57, FLOAT : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xi1> loc("jit(lstep)/jvp(M)/gt")
    %59 = stablehlo.dot_general %56, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32> loc("jit(lstep)/jvp(M)/Dense_1/dot_general")
    %60 = stablehlo.reshape %arg5 : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(lstep)/jvp(M)/Dense_1/reshape")
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<32x8xf32> loc("jit(lstep)/jvp(M)/Dense_1/add")
    %62 = stablehlo.add %59, %61 : tensor<32x8xf32> loc("jit(lstep)/jvp(M)/Dense_1/add")
    %63 = stablehlo.subtract %62, %arg23 : tensor<32x8xf32> loc("jit(lstep)/jvp()/sub")
    %64 = stablehlo.multiply %63, %63 : tensor<32x8xf32> loc("jit(lstep)/jvp()/integer_pow")
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(lstep)/jvp()/mul")
    %66 = stablehlo.multiply %65, %63 : tensor<32x8xf32> loc("jit(lstep)/jvp()/mul")
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/jvp()/reduce_sum")
    %67 = stablehlo.reduce(%64 init: %cst_19) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32> loc("jit(lstep)/jvp()/reduce_sum")
    %cst_20 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %68 = stablehlo.divide %67, %cst_20 : tensor<f32> loc("jit(lstep)/jvp()/div")
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_22 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %69 = stablehlo.divide %cst_21, %cst_22 : tensor<f32> loc("jit(lstep)/transpose(jvp())/div")
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(lstep)/transpose(jvp())/broadcast_in_dim")
    %71 = stablehlo.multiply %70, %66 : tensor<32x8xf32> loc("jit(lstep)/transpose(jvp())/mul")
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/reduce_sum")
    %72 = stablehlo.reduce(%71 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<32x8xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/reduce_sum")
    %73 = stablehlo.reshape %72 : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/reshape")
    %74 = stablehlo.reshape %73 : (tensor<1x8xf32>) -> tensor<8xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/reshape")
    %75 = stablehlo.dot_general %71, %56, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<32x64xf32>) -> tensor<8x64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/dot_general")
    %76 = stablehlo.transpose %75, dims = [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/transpose")
    %77 = stablehlo.dot_general %71, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<64x8xf32>) -> tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_1/dot_general")
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/broadcast_in_dim")
    %79 = stablehlo.select %58, %77, %78 : tensor<32x64xi1>, tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/select_n")
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %80 = stablehlo.reduce(%79 init: %cst_25) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %81 = stablehlo.reshape %80 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reshape")
    %82 = stablehlo.reshape %81 : (tensor<1x64xf32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reshape")
    %83 = stablehlo.multiply %42, %79 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %84 = stablehlo.reduce(%83 init: %cst_26) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %85 = stablehlo.reshape %84 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reshape")
    %86 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %87 = stablehlo.multiply %79, %86 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %88 = stablehlo.multiply %45, %85 : tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %89 = stablehlo.multiply %85, %49 : tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %90 = stablehlo.reshape %88 : (tensor<1x64xf32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reshape")
    %91 = stablehlo.multiply %89, %48 : tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %92 = stablehlo.negate %87 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/neg")
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %93 = stablehlo.reduce(%92 init: %cst_27) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %94 = stablehlo.reshape %93 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reshape")
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %95 = stablehlo.reduce(%91 init: %cst_28) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %96 = stablehlo.reduce(%94 init: %cst_29) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/reduce_sum")
    %97 = stablehlo.multiply %95, %28 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %98 = stablehlo.negate %97 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/neg")
    %99 = stablehlo.multiply %98, %15 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %100 = stablehlo.add %96, %99 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/add_any")
    %cst_30 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/div")
    %102 = stablehlo.divide %97, %101 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/div")
    %103 = stablehlo.broadcast_in_dim %102, dims = [1] : (tensor<64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/broadcast_in_dim")
    %cst_31 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/div")
    %105 = stablehlo.divide %100, %104 : tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/div")
    %106 = stablehlo.broadcast_in_dim %105, dims = [1] : (tensor<64xf32>) -> tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/broadcast_in_dim")
    %107 = stablehlo.add %87, %106 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/add_any")
    %108 = stablehlo.multiply %103, %6 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/mul")
    %109 = stablehlo.add %107, %108 : tensor<32x64xf32> loc("jit(lstep)/transpose(jvp(M))/BatchNorm_0/add_any")
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/reduce_sum")
    %110 = stablehlo.reduce(%109 init: %cst_32) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/reduce_sum")
    %111 = stablehlo.reshape %110 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/reshape")
    %112 = stablehlo.reshape %111 : (tensor<1x64xf32>) -> tensor<64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/reshape")
    %113 = stablehlo.dot_general %109, %arg22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/dot_general")
    %114 = stablehlo.transpose %113, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32> loc("jit(lstep)/transpose(jvp(M))/Dense_0/transpose")
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %116 = stablehlo.multiply %115, %82 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_34 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %118 = stablehlo.multiply %117, %arg8 : tensor<64xf32> loc("jit(lstep)/mul")
    %119 = stablehlo.add %116, %118 : tensor<64xf32> loc("jit(lstep)/add")
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %121 = stablehlo.multiply %120, %90 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %123 = stablehlo.multiply %122, %arg9 : tensor<64xf32> loc("jit(lstep)/mul")
    %124 = stablehlo.add %121, %123 : tensor<64xf32> loc("jit(lstep)/add")
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %126 = stablehlo.multiply %125, %112 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_38 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %128 = stablehlo.multiply %127, %arg10 : tensor<64xf32> loc("jit(lstep)/mul")
    %129 = stablehlo.add %126, %128 : tensor<64xf32> loc("jit(lstep)/add")
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/mul")
    %131 = stablehlo.multiply %130, %114 : tensor<16x64xf32> loc("jit(lstep)/mul")
    %cst_40 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/mul")
    %133 = stablehlo.multiply %132, %arg11 : tensor<16x64xf32> loc("jit(lstep)/mul")
    %134 = stablehlo.add %131, %133 : tensor<16x64xf32> loc("jit(lstep)/add")
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/mul")
    %136 = stablehlo.multiply %135, %74 : tensor<8xf32> loc("jit(lstep)/mul")
    %cst_42 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/mul")
    %138 = stablehlo.multiply %137, %arg12 : tensor<8xf32> loc("jit(lstep)/mul")
    %139 = stablehlo.add %136, %138 : tensor<8xf32> loc("jit(lstep)/add")
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/mul")
    %141 = stablehlo.multiply %140, %76 : tensor<64x8xf32> loc("jit(lstep)/mul")
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/mul")
    %143 = stablehlo.multiply %142, %arg13 : tensor<64x8xf32> loc("jit(lstep)/mul")
    %144 = stablehlo.add %141, %143 : tensor<64x8xf32> loc("jit(lstep)/add")
    %145 = stablehlo.multiply %82, %82 : tensor<64xf32> loc("jit(lstep)/integer_pow")
    %cst_45 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %147 = stablehlo.multiply %146, %145 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_46 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %149 = stablehlo.multiply %148, %arg14 : tensor<64xf32> loc("jit(lstep)/mul")
    %150 = stablehlo.add %147, %149 : tensor<64xf32> loc("jit(lstep)/add")
    %151 = stablehlo.multiply %90, %90 : tensor<64xf32> loc("jit(lstep)/integer_pow")
    %cst_47 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %153 = stablehlo.multiply %152, %151 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_48 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %155 = stablehlo.multiply %154, %arg15 : tensor<64xf32> loc("jit(lstep)/mul")
    %156 = stablehlo.add %153, %155 : tensor<64xf32> loc("jit(lstep)/add")
    %157 = stablehlo.multiply %112, %112 : tensor<64xf32> loc("jit(lstep)/integer_pow")
    %cst_49 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %159 = stablehlo.multiply %158, %157 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_50 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %161 = stablehlo.multiply %160, %arg16 : tensor<64xf32> loc("jit(lstep)/mul")
    %162 = stablehlo.add %159, %161 : tensor<64xf32> loc("jit(lstep)/add")
    %163 = stablehlo.multiply %114, %114 : tensor<16x64xf32> loc("jit(lstep)/integer_pow")
    %cst_51 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/mul")
    %165 = stablehlo.multiply %164, %163 : tensor<16x64xf32> loc("jit(lstep)/mul")
    %cst_52 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/mul")
    %167 = stablehlo.multiply %166, %arg17 : tensor<16x64xf32> loc("jit(lstep)/mul")
    %168 = stablehlo.add %165, %167 : tensor<16x64xf32> loc("jit(lstep)/add")
    %169 = stablehlo.multiply %74, %74 : tensor<8xf32> loc("jit(lstep)/integer_pow")
    %cst_53 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/mul")
    %171 = stablehlo.multiply %170, %169 : tensor<8xf32> loc("jit(lstep)/mul")
    %cst_54 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/mul")
    %173 = stablehlo.multiply %172, %arg18 : tensor<8xf32> loc("jit(lstep)/mul")
    %174 = stablehlo.add %171, %173 : tensor<8xf32> loc("jit(lstep)/add")
    %175 = stablehlo.multiply %76, %76 : tensor<64x8xf32> loc("jit(lstep)/integer_pow")
    %cst_55 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/mul")
    %177 = stablehlo.multiply %176, %175 : tensor<64x8xf32> loc("jit(lstep)/mul")
    %cst_56 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/mul")
    %179 = stablehlo.multiply %178, %arg19 : tensor<64x8xf32> loc("jit(lstep)/mul")
    %180 = stablehlo.add %177, %179 : tensor<64x8xf32> loc("jit(lstep)/add")
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %181 = stablehlo.compare LT, %arg7, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(lstep)/lt")
    %c_57 = stablehlo.constant dense<1> : tensor<i32>
    %182 = stablehlo.add %arg7, %c_57 : tensor<i32> loc("jit(lstep)/add")
    %c_58 = stablehlo.constant dense<2147483647> : tensor<i32>
    %183 = call @_where(%181, %182, %c_58) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("jit(lstep)/jit(_where)")
    %cst_59 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %184 = stablehlo.convert %183 : (tensor<i32>) -> tensor<f32> loc("jit(lstep)/pow")
    %185 = stablehlo.power %cst_59, %184 : tensor<f32> loc("jit(lstep)/pow")
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %186 = stablehlo.subtract %cst_60, %185 : tensor<f32> loc("jit(lstep)/sub")
    %187 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %188 = stablehlo.divide %119, %187 : tensor<64xf32> loc("jit(lstep)/div")
    %189 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %190 = stablehlo.divide %124, %189 : tensor<64xf32> loc("jit(lstep)/div")
    %191 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %192 = stablehlo.divide %129, %191 : tensor<64xf32> loc("jit(lstep)/div")
    %193 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/div")
    %194 = stablehlo.divide %134, %193 : tensor<16x64xf32> loc("jit(lstep)/div")
    %195 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/div")
    %196 = stablehlo.divide %139, %195 : tensor<8xf32> loc("jit(lstep)/div")
    %197 = stablehlo.broadcast_in_dim %186, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/div")
    %198 = stablehlo.divide %144, %197 : tensor<64x8xf32> loc("jit(lstep)/div")
    %cst_61 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %199 = stablehlo.convert %183 : (tensor<i32>) -> tensor<f32> loc("jit(lstep)/pow")
    %200 = stablehlo.power %cst_61, %199 : tensor<f32> loc("jit(lstep)/pow")
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %201 = stablehlo.subtract %cst_62, %200 : tensor<f32> loc("jit(lstep)/sub")
    %202 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %203 = stablehlo.divide %150, %202 : tensor<64xf32> loc("jit(lstep)/div")
    %204 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %205 = stablehlo.divide %156, %204 : tensor<64xf32> loc("jit(lstep)/div")
    %206 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/div")
    %207 = stablehlo.divide %162, %206 : tensor<64xf32> loc("jit(lstep)/div")
    %208 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/div")
    %209 = stablehlo.divide %168, %208 : tensor<16x64xf32> loc("jit(lstep)/div")
    %210 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/div")
    %211 = stablehlo.divide %174, %210 : tensor<8xf32> loc("jit(lstep)/div")
    %212 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/div")
    %213 = stablehlo.divide %180, %212 : tensor<64x8xf32> loc("jit(lstep)/div")
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %215 = stablehlo.add %203, %214 : tensor<64xf32> loc("jit(lstep)/add")
    %216 = stablehlo.sqrt %215 : tensor<64xf32> loc("jit(lstep)/sqrt")
    %cst_64 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %218 = stablehlo.add %216, %217 : tensor<64xf32> loc("jit(lstep)/add")
    %219 = stablehlo.divide %188, %218 : tensor<64xf32> loc("jit(lstep)/div")
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %221 = stablehlo.add %205, %220 : tensor<64xf32> loc("jit(lstep)/add")
    %222 = stablehlo.sqrt %221 : tensor<64xf32> loc("jit(lstep)/sqrt")
    %cst_66 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %224 = stablehlo.add %222, %223 : tensor<64xf32> loc("jit(lstep)/add")
    %225 = stablehlo.divide %190, %224 : tensor<64xf32> loc("jit(lstep)/div")
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %227 = stablehlo.add %207, %226 : tensor<64xf32> loc("jit(lstep)/add")
    %228 = stablehlo.sqrt %227 : tensor<64xf32> loc("jit(lstep)/sqrt")
    %cst_68 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/add")
    %230 = stablehlo.add %228, %229 : tensor<64xf32> loc("jit(lstep)/add")
    %231 = stablehlo.divide %192, %230 : tensor<64xf32> loc("jit(lstep)/div")
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/add")
    %233 = stablehlo.add %209, %232 : tensor<16x64xf32> loc("jit(lstep)/add")
    %234 = stablehlo.sqrt %233 : tensor<16x64xf32> loc("jit(lstep)/sqrt")
    %cst_70 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/add")
    %236 = stablehlo.add %234, %235 : tensor<16x64xf32> loc("jit(lstep)/add")
    %237 = stablehlo.divide %194, %236 : tensor<16x64xf32> loc("jit(lstep)/div")
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/add")
    %239 = stablehlo.add %211, %238 : tensor<8xf32> loc("jit(lstep)/add")
    %240 = stablehlo.sqrt %239 : tensor<8xf32> loc("jit(lstep)/sqrt")
    %cst_72 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/add")
    %242 = stablehlo.add %240, %241 : tensor<8xf32> loc("jit(lstep)/add")
    %243 = stablehlo.divide %196, %242 : tensor<8xf32> loc("jit(lstep)/div")
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/add")
    %245 = stablehlo.add %213, %244 : tensor<64x8xf32> loc("jit(lstep)/add")
    %246 = stablehlo.sqrt %245 : tensor<64x8xf32> loc("jit(lstep)/sqrt")
    %cst_74 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/add")
    %248 = stablehlo.add %246, %247 : tensor<64x8xf32> loc("jit(lstep)/add")
    %249 = stablehlo.divide %198, %248 : tensor<64x8xf32> loc("jit(lstep)/div")
    %cst_75 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %251 = stablehlo.multiply %250, %219 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_76 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %253 = stablehlo.multiply %252, %225 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_77 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(lstep)/mul")
    %255 = stablehlo.multiply %254, %231 : tensor<64xf32> loc("jit(lstep)/mul")
    %cst_78 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(lstep)/mul")
    %257 = stablehlo.multiply %256, %237 : tensor<16x64xf32> loc("jit(lstep)/mul")
    %cst_79 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(lstep)/mul")
    %259 = stablehlo.multiply %258, %243 : tensor<8xf32> loc("jit(lstep)/mul")
    %cst_80 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(lstep)/mul")
    %261 = stablehlo.multiply %260, %249 : tensor<64x8xf32> loc("jit(lstep)/mul")
    %262 = stablehlo.add %arg1, %251 : tensor<64xf32> loc("jit(lstep)/add")
    %263 = stablehlo.add %arg2, %253 : tensor<64xf32> loc("jit(lstep)/add")
    %264 = stablehlo.add %arg3, %255 : tensor<64xf32> loc("jit(lstep)/add")
    %265 = stablehlo.add %arg4, %257 : tensor<16x64xf32> loc("jit(lstep)/add")
    %266 = stablehlo.add %arg5, %259 : tensor<8xf32> loc("jit(lstep)/add")
    %267 = stablehlo.add %arg6, %261 : tensor<64x8xf32> loc("jit(lstep)/add")
    %c_81 = stablehlo.constant dense<1> : tensor<i32>
    %268 = stablehlo.add %arg0, %c_81 : tensor<i32> loc("jit(lstep)/add")
    return %268, %262, %263, %264, %265, %266, %267, %183, %119, %124, %129, %134, %139, %144, %150, %156, %162, %168, %174, %180, %33, %38, %68 : tensor<i32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<i32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<32x64xf32> loc(unknown)) -> tensor<32x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
  func.func private @_where(%arg0: tensor<i1> loc(unknown), %arg1: tensor<i32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
