// A step of optax.adamw, all donated: w 16x64 and 64x8 are cut over model=2, the batch of 32 over data=4.
// By hand, of one device: parameters (16*32 + 32 + 32*8 + 8) f32 = 3,232 bytes, two moments of these and a
// count, gradients as large as parameters, inputs (8*16 + 8*8) f32, two arrays of 8*32 f32 between, the loss.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 3.23 kB, optimizer state 6.47 kB, gradients 3.23 kB, activations 2.05 kB, inputs 768 B, outputs 4 B
// CHECK-NEXT: alive
module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  sdy.mesh @empty_mesh = <[]>
  func.func public @main(%arg0: tensor<8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>} loc("params['down']['b']"), %arg1: tensor<64x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['down']['w']"), %arg2: tensor<64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>} loc("params['up']['b']"), %arg3: tensor<16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("params['up']['w']"), %arg4: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>} loc("opt_state[0].count"), %arg5: tensor<8xf32> {jax.buffer_donor = true} loc("opt_state[0].mu['down']['b']"), %arg6: tensor<64x8xf32> {jax.buffer_donor = true} loc("opt_state[0].mu['down']['w']"), %arg7: tensor<64xf32> {jax.buffer_donor = true} loc("opt_state[0].mu['up']['b']"), %arg8: tensor<16x64xf32> {jax.buffer_donor = true} loc("opt_state[0].mu['up']['w']"), %arg9: tensor<8xf32> {jax.buffer_donor = true} loc("opt_state[0].nu['down']['b']"), %arg10: tensor<64x8xf32> {jax.buffer_donor = true} loc("opt_state[0].nu['down']['w']"), %arg11: tensor<64xf32> {jax.buffer_donor = true} loc("opt_state[0].nu['up']['b']"), %arg12: tensor<16x64xf32> {jax.buffer_donor = true} loc("opt_state[0].nu['up']['w']"), %arg13: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"), %arg14: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("y")) -> (tensor<8xf32> {jax.result_info = "result[0]['down']['b']"}, tensor<64x8xf32> {jax.result_info = "result[0]['down']['w']"}, tensor<64xf32> {jax.result_info = "result[0]['up']['b']"}, tensor<16x64xf32> {jax.result_info = "result[0]['up']['w']"}, tensor<i32> {jax.result_info = "result[1][0].count"}, tensor<8xf32> {jax.result_info = "result[1][0].mu['down']['b']"}, tensor<64x8xf32> {jax.result_info = "result[1][0].mu['down']['w']"}, tensor<64xf32> {jax.result_info = "result[1][0].mu['up']['b']"}, tensor<16x64xf32> {jax.result_info = "result[1][0].mu['up']['w']"}, tensor<8xf32> {jax.result_info = "result[1][0].nu['down']['b']"}, tensor<64x8xf32> {jax.result_info = "result[1][0].nu['down']['w']"}, tensor<64xf32> {jax.result_info = "result[1][0].nu['up']['b']"}, tensor<16x64xf32> {jax.result_info = "result[1][0].nu['up']['w']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg13, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32> loc("jit(step)/jvp()/dot_general")
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(step)/jvp()/broadcast_in_dim")
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<32x64xf32> loc("jit(step)/jvp()/add")
    %3 = stablehlo.add %0, %2 : tensor<32x64xf32> loc("jit(step)/jvp()/add")
    %4 = stablehlo.tanh %3 : tensor<32x64xf32> loc("jit(step)/jvp()/tanh")
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32> loc("jit(step)/jvp()/sub")
    %6 = stablehlo.subtract %5, %4 : tensor<32x64xf32> loc("jit(step)/jvp()/sub")
    %7 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32> loc("jit(step)/jvp()/dot_general")
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(step)/jvp()/broadcast_in_dim")
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<32x8xf32> loc("jit(step)/jvp()/add")
    %10 = stablehlo.add %7, %9 : tensor<32x8xf32> loc("jit(step)/jvp()/add")
    %11 = stablehlo.subtract %10, %arg14 : tensor<32x8xf32> loc("jit(step)/jvp()/sub")
    %12 = stablehlo.multiply %11, %11 : tensor<32x8xf32> loc("jit(step)/jvp()/integer_pow")
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(step)/jvp()/mul")
    %14 = stablehlo.multiply %13, %11 : tensor<32x8xf32> loc("jit(step)/jvp()/mul")
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(step)/jvp()/reduce_sum")
    %15 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32> loc("jit(step)/jvp()/reduce_sum")
    %cst_2 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %16 = stablehlo.divide %15, %cst_2 : tensor<f32> loc("jit(step)/jvp()/div")
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %17 = stablehlo.divide %cst_3, %cst_4 : tensor<f32> loc("jit(step)/transpose(jvp())/div")
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<32x8xf32> loc("jit(step)/transpose(jvp())/broadcast_in_dim")
    %19 = stablehlo.multiply %18, %14 : tensor<32x8xf32> loc("jit(step)/transpose(jvp())/mul")
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %20 = stablehlo.reduce(%19 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<32x8xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %21 = stablehlo.reshape %20 : (tensor<8xf32>) -> tensor<1x8xf32> loc("jit(step)/transpose(jvp())/reshape")
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %22 = stablehlo.reduce(%21 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %23 = stablehlo.dot_general %19, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<32x64xf32>) -> tensor<8x64xf32> loc("jit(step)/transpose(jvp())/dot_general")
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32> loc("jit(step)/transpose(jvp())/transpose")
    %25 = stablehlo.dot_general %19, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<64x8xf32>) -> tensor<32x64xf32> loc("jit(step)/transpose(jvp())/dot_general")
    %26 = stablehlo.multiply %25, %6 : tensor<32x64xf32> loc("jit(step)/transpose(jvp())/mul")
    %27 = stablehlo.multiply %26, %4 : tensor<32x64xf32> loc("jit(step)/transpose(jvp())/mul")
    %28 = stablehlo.add %26, %27 : tensor<32x64xf32> loc("jit(step)/transpose(jvp())/add_any")
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<32x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %30 = stablehlo.reshape %29 : (tensor<64xf32>) -> tensor<1x64xf32> loc("jit(step)/transpose(jvp())/reshape")
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32> loc("jit(step)/transpose(jvp())/reduce_sum")
    %32 = stablehlo.dot_general %28, %arg13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/transpose(jvp())/dot_general")
    %33 = stablehlo.transpose %32, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32> loc("jit(step)/transpose(jvp())/transpose")
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %35 = stablehlo.multiply %34, %22 : tensor<8xf32> loc("jit(step)/mul")
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %37 = stablehlo.multiply %36, %arg5 : tensor<8xf32> loc("jit(step)/mul")
    %38 = stablehlo.add %35, %37 : tensor<8xf32> loc("jit(step)/add")
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %40 = stablehlo.multiply %39, %24 : tensor<64x8xf32> loc("jit(step)/mul")
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %42 = stablehlo.multiply %41, %arg6 : tensor<64x8xf32> loc("jit(step)/mul")
    %43 = stablehlo.add %40, %42 : tensor<64x8xf32> loc("jit(step)/add")
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %45 = stablehlo.multiply %44, %31 : tensor<64xf32> loc("jit(step)/mul")
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %47 = stablehlo.multiply %46, %arg7 : tensor<64xf32> loc("jit(step)/mul")
    %48 = stablehlo.add %45, %47 : tensor<64xf32> loc("jit(step)/add")
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %50 = stablehlo.multiply %49, %33 : tensor<16x64xf32> loc("jit(step)/mul")
    %cst_16 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %52 = stablehlo.multiply %51, %arg8 : tensor<16x64xf32> loc("jit(step)/mul")
    %53 = stablehlo.add %50, %52 : tensor<16x64xf32> loc("jit(step)/add")
    %54 = stablehlo.multiply %22, %22 : tensor<8xf32> loc("jit(step)/integer_pow")
    %cst_17 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %56 = stablehlo.multiply %55, %54 : tensor<8xf32> loc("jit(step)/mul")
    %cst_18 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %58 = stablehlo.multiply %57, %arg9 : tensor<8xf32> loc("jit(step)/mul")
    %59 = stablehlo.add %56, %58 : tensor<8xf32> loc("jit(step)/add")
    %60 = stablehlo.multiply %24, %24 : tensor<64x8xf32> loc("jit(step)/integer_pow")
    %cst_19 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %62 = stablehlo.multiply %61, %60 : tensor<64x8xf32> loc("jit(step)/mul")
    %cst_20 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %64 = stablehlo.multiply %63, %arg10 : tensor<64x8xf32> loc("jit(step)/mul")
    %65 = stablehlo.add %62, %64 : tensor<64x8xf32> loc("jit(step)/add")
    %66 = stablehlo.multiply %31, %31 : tensor<64xf32> loc("jit(step)/integer_pow")
    %cst_21 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %68 = stablehlo.multiply %67, %66 : tensor<64xf32> loc("jit(step)/mul")
    %cst_22 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %70 = stablehlo.multiply %69, %arg11 : tensor<64xf32> loc("jit(step)/mul")
    %71 = stablehlo.add %68, %70 : tensor<64xf32> loc("jit(step)/add")
    %72 = stablehlo.multiply %33, %33 : tensor<16x64xf32> loc("jit(step)/integer_pow")
    %cst_23 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %74 = stablehlo.multiply %73, %72 : tensor<16x64xf32> loc("jit(step)/mul")
    %cst_24 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %76 = stablehlo.multiply %75, %arg12 : tensor<16x64xf32> loc("jit(step)/mul")
    %77 = stablehlo.add %74, %76 : tensor<16x64xf32> loc("jit(step)/add")
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %78 = stablehlo.compare LT, %arg4, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(step)/lt")
    %c_25 = stablehlo.constant dense<1> : tensor<i32>
    %79 = stablehlo.add %arg4, %c_25 : tensor<i32> loc("jit(step)/add")
    %c_26 = stablehlo.constant dense<2147483647> : tensor<i32>
    %80 = call @_where(%78, %79, %c_26) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("jit(step)/jit(_where)")
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %81 = stablehlo.convert %80 : (tensor<i32>) -> tensor<f32> loc("jit(step)/pow")
    %82 = stablehlo.power %cst_27, %81 : tensor<f32> loc("jit(step)/pow")
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.subtract %cst_28, %82 : tensor<f32> loc("jit(step)/sub")
    %84 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/div")
    %85 = stablehlo.divide %38, %84 : tensor<8xf32> loc("jit(step)/div")
    %86 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/div")
    %87 = stablehlo.divide %43, %86 : tensor<64x8xf32> loc("jit(step)/div")
    %88 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/div")
    %89 = stablehlo.divide %48, %88 : tensor<64xf32> loc("jit(step)/div")
    %90 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/div")
    %91 = stablehlo.divide %53, %90 : tensor<16x64xf32> loc("jit(step)/div")
    %cst_29 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %92 = stablehlo.convert %80 : (tensor<i32>) -> tensor<f32> loc("jit(step)/pow")
    %93 = stablehlo.power %cst_29, %92 : tensor<f32> loc("jit(step)/pow")
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.subtract %cst_30, %93 : tensor<f32> loc("jit(step)/sub")
    %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/div")
    %96 = stablehlo.divide %59, %95 : tensor<8xf32> loc("jit(step)/div")
    %97 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/div")
    %98 = stablehlo.divide %65, %97 : tensor<64x8xf32> loc("jit(step)/div")
    %99 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/div")
    %100 = stablehlo.divide %71, %99 : tensor<64xf32> loc("jit(step)/div")
    %101 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/div")
    %102 = stablehlo.divide %77, %101 : tensor<16x64xf32> loc("jit(step)/div")
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/add")
    %104 = stablehlo.add %96, %103 : tensor<8xf32> loc("jit(step)/add")
    %105 = stablehlo.sqrt %104 : tensor<8xf32> loc("jit(step)/sqrt")
    %cst_32 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/add")
    %107 = stablehlo.add %105, %106 : tensor<8xf32> loc("jit(step)/add")
    %108 = stablehlo.divide %85, %107 : tensor<8xf32> loc("jit(step)/div")
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/add")
    %110 = stablehlo.add %98, %109 : tensor<64x8xf32> loc("jit(step)/add")
    %111 = stablehlo.sqrt %110 : tensor<64x8xf32> loc("jit(step)/sqrt")
    %cst_34 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/add")
    %113 = stablehlo.add %111, %112 : tensor<64x8xf32> loc("jit(step)/add")
    %114 = stablehlo.divide %87, %113 : tensor<64x8xf32> loc("jit(step)/div")
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/add")
    %116 = stablehlo.add %100, %115 : tensor<64xf32> loc("jit(step)/add")
    %117 = stablehlo.sqrt %116 : tensor<64xf32> loc("jit(step)/sqrt")
    %cst_36 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/add")
    %119 = stablehlo.add %117, %118 : tensor<64xf32> loc("jit(step)/add")
    %120 = stablehlo.divide %89, %119 : tensor<64xf32> loc("jit(step)/div")
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/add")
    %122 = stablehlo.add %102, %121 : tensor<16x64xf32> loc("jit(step)/add")
    %123 = stablehlo.sqrt %122 : tensor<16x64xf32> loc("jit(step)/sqrt")
    %cst_38 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/add")
    %125 = stablehlo.add %123, %124 : tensor<16x64xf32> loc("jit(step)/add")
    %126 = stablehlo.divide %91, %125 : tensor<16x64xf32> loc("jit(step)/div")
    %cst_39 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %128 = stablehlo.multiply %127, %arg0 : tensor<8xf32> loc("jit(step)/mul")
    %129 = stablehlo.add %108, %128 : tensor<8xf32> loc("jit(step)/add")
    %cst_40 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %131 = stablehlo.multiply %130, %arg1 : tensor<64x8xf32> loc("jit(step)/mul")
    %132 = stablehlo.add %114, %131 : tensor<64x8xf32> loc("jit(step)/add")
    %cst_41 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %134 = stablehlo.multiply %133, %arg2 : tensor<64xf32> loc("jit(step)/mul")
    %135 = stablehlo.add %120, %134 : tensor<64xf32> loc("jit(step)/add")
    %cst_42 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %137 = stablehlo.multiply %136, %arg3 : tensor<16x64xf32> loc("jit(step)/mul")
    %138 = stablehlo.add %126, %137 : tensor<16x64xf32> loc("jit(step)/add")
    %cst_43 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(step)/mul")
    %140 = stablehlo.multiply %139, %129 : tensor<8xf32> loc("jit(step)/mul")
    %cst_44 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<64x8xf32> loc("jit(step)/mul")
    %142 = stablehlo.multiply %141, %132 : tensor<64x8xf32> loc("jit(step)/mul")
    %cst_45 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64xf32> loc("jit(step)/mul")
    %144 = stablehlo.multiply %143, %135 : tensor<64xf32> loc("jit(step)/mul")
    %cst_46 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x64xf32> loc("jit(step)/mul")
    %146 = stablehlo.multiply %145, %138 : tensor<16x64xf32> loc("jit(step)/mul")
    %147 = stablehlo.add %arg0, %140 : tensor<8xf32> loc("jit(step)/add")
    %148 = stablehlo.add %arg1, %142 : tensor<64x8xf32> loc("jit(step)/add")
    %149 = stablehlo.add %arg2, %144 : tensor<64xf32> loc("jit(step)/add")
    %150 = stablehlo.add %arg3, %146 : tensor<16x64xf32> loc("jit(step)/add")
    return %147, %148, %149, %150, %80, %38, %43, %48, %53, %59, %65, %71, %77, %16 : tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<i32>, tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<8xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i1> loc(unknown), %arg1: tensor<i32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
