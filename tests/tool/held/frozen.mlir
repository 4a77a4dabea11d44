// Only what is added to a frozen weight is trained: (64*4 + 4*64) f32.  The frozen arrays are no inputs although they
// are no state: (128*64 + 64*64) f32, and the sum of weight and what is added to it, are other.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 2.05 kB, optimizer state 4.10 kB, activations 16.4 kB, inputs 128 B, other 65.5 kB
module @jit_lora_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]>
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<64x4xf32> {jax.buffer_donor = true} loc("lora['a']"), %arg1: tensor<4x64xf32> {jax.buffer_donor = true} loc("lora['b']"), %arg2: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>} loc("opt[0].count"), %arg3: tensor<64x4xf32> {jax.buffer_donor = true} loc("opt[0].mu['a']"), %arg4: tensor<4x64xf32> {jax.buffer_donor = true} loc("opt[0].mu['b']"), %arg5: tensor<64x4xf32> {jax.buffer_donor = true} loc("opt[0].nu['a']"), %arg6: tensor<4x64xf32> {jax.buffer_donor = true} loc("opt[0].nu['b']"), %arg7: tensor<128x64xf32> loc("base['emb']"), %arg8: tensor<64x64xf32> loc("base['w']"), %arg9: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("tokens")) -> (tensor<64x4xf32> {jax.result_info = "result[0]['a']"}, tensor<4x64xf32> {jax.result_info = "result[0]['b']"}, tensor<i32> {jax.result_info = "result[1][0].count"}, tensor<64x4xf32> {jax.result_info = "result[1][0].mu['a']"}, tensor<4x64xf32> {jax.result_info = "result[1][0].mu['b']"}, tensor<64x4xf32> {jax.result_info = "result[1][0].nu['a']"}, tensor<4x64xf32> {jax.result_info = "result[1][0].nu['b']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x8xi32> loc("jit(lora_step)/jvp()/lt")
    %1 = stablehlo.compare LT, %arg9, %0, SIGNED : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1> loc("jit(lora_step)/jvp()/lt")
    %c_0 = stablehlo.constant dense<128> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x8xi32> loc("jit(lora_step)/jvp()/add")
    %3 = stablehlo.add %arg9, %2 : tensor<16x8xi32> loc("jit(lora_step)/jvp()/add")
    %4 = stablehlo.select %1, %3, %arg9 : tensor<16x8xi1>, tensor<16x8xi32> loc("jit(lora_step)/jvp()/select_n")
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x8xi32>) -> tensor<16x8x1xi32> loc("jit(lora_step)/jvp()/broadcast_in_dim")
    %6 = "stablehlo.gather"(%arg7, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<128x64xf32>, tensor<16x8x1xi32>) -> tensor<16x8x64xf32> loc("jit(lora_step)/jvp()/gather")
    %7 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32> loc("jit(lora_step)/jvp()/dot_general")
    %8 = stablehlo.add %arg8, %7 : tensor<64x64xf32> loc("jit(lora_step)/jvp()/add")
    %9 = stablehlo.dot_general %6, %8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<64x64xf32>) -> tensor<16x8x64xf32> loc("jit(lora_step)/jvp()/dot_general")
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8x64xf32> loc("jit(lora_step)/jvp()/mul")
    %11 = stablehlo.multiply %10, %9 : tensor<16x8x64xf32> loc("jit(lora_step)/jvp()/mul")
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %12 = stablehlo.divide %cst_1, %cst_2 : tensor<f32> loc("jit(lora_step)/transpose(jvp())/div")
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<16x8x64xf32> loc("jit(lora_step)/transpose(jvp())/broadcast_in_dim")
    %14 = stablehlo.multiply %13, %11 : tensor<16x8x64xf32> loc("jit(lora_step)/transpose(jvp())/mul")
    %15 = stablehlo.dot_general %14, %6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<16x8x64xf32>) -> tensor<64x64xf32> loc("jit(lora_step)/transpose(jvp())/dot_general")
    %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("jit(lora_step)/transpose(jvp())/transpose")
    %17 = stablehlo.dot_general %16, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32> loc("jit(lora_step)/transpose(jvp())/dot_general")
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<64x4xf32>) -> tensor<4x64xf32> loc("jit(lora_step)/transpose(jvp())/transpose")
    %19 = stablehlo.dot_general %16, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x64xf32>, tensor<4x64xf32>) -> tensor<64x4xf32> loc("jit(lora_step)/transpose(jvp())/dot_general")
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/mul")
    %21 = stablehlo.multiply %20, %19 : tensor<64x4xf32> loc("jit(lora_step)/mul")
    %cst_4 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/mul")
    %23 = stablehlo.multiply %22, %arg3 : tensor<64x4xf32> loc("jit(lora_step)/mul")
    %24 = stablehlo.add %21, %23 : tensor<64x4xf32> loc("jit(lora_step)/add")
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/mul")
    %26 = stablehlo.multiply %25, %18 : tensor<4x64xf32> loc("jit(lora_step)/mul")
    %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/mul")
    %28 = stablehlo.multiply %27, %arg4 : tensor<4x64xf32> loc("jit(lora_step)/mul")
    %29 = stablehlo.add %26, %28 : tensor<4x64xf32> loc("jit(lora_step)/add")
    %30 = stablehlo.multiply %19, %19 : tensor<64x4xf32> loc("jit(lora_step)/integer_pow")
    %cst_7 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/mul")
    %32 = stablehlo.multiply %31, %30 : tensor<64x4xf32> loc("jit(lora_step)/mul")
    %cst_8 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/mul")
    %34 = stablehlo.multiply %33, %arg5 : tensor<64x4xf32> loc("jit(lora_step)/mul")
    %35 = stablehlo.add %32, %34 : tensor<64x4xf32> loc("jit(lora_step)/add")
    %36 = stablehlo.multiply %18, %18 : tensor<4x64xf32> loc("jit(lora_step)/integer_pow")
    %cst_9 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/mul")
    %38 = stablehlo.multiply %37, %36 : tensor<4x64xf32> loc("jit(lora_step)/mul")
    %cst_10 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/mul")
    %40 = stablehlo.multiply %39, %arg6 : tensor<4x64xf32> loc("jit(lora_step)/mul")
    %41 = stablehlo.add %38, %40 : tensor<4x64xf32> loc("jit(lora_step)/add")
    %c_11 = stablehlo.constant dense<2147483647> : tensor<i32>
    %42 = stablehlo.compare LT, %arg2, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(lora_step)/lt")
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.add %arg2, %c_12 : tensor<i32> loc("jit(lora_step)/add")
    %c_13 = stablehlo.constant dense<2147483647> : tensor<i32>
    %44 = call @_where(%42, %43, %c_13) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("jit(lora_step)/jit(_where)")
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %45 = stablehlo.convert %44 : (tensor<i32>) -> tensor<f32> loc("jit(lora_step)/pow")
    %46 = stablehlo.power %cst_14, %45 : tensor<f32> loc("jit(lora_step)/pow")
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.subtract %cst_15, %46 : tensor<f32> loc("jit(lora_step)/sub")
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/div")
    %49 = stablehlo.divide %24, %48 : tensor<64x4xf32> loc("jit(lora_step)/div")
    %50 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/div")
    %51 = stablehlo.divide %29, %50 : tensor<4x64xf32> loc("jit(lora_step)/div")
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %52 = stablehlo.convert %44 : (tensor<i32>) -> tensor<f32> loc("jit(lora_step)/pow")
    %53 = stablehlo.power %cst_16, %52 : tensor<f32> loc("jit(lora_step)/pow")
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.subtract %cst_17, %53 : tensor<f32> loc("jit(lora_step)/sub")
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/div")
    %56 = stablehlo.divide %35, %55 : tensor<64x4xf32> loc("jit(lora_step)/div")
    %57 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/div")
    %58 = stablehlo.divide %41, %57 : tensor<4x64xf32> loc("jit(lora_step)/div")
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/add")
    %60 = stablehlo.add %56, %59 : tensor<64x4xf32> loc("jit(lora_step)/add")
    %61 = stablehlo.sqrt %60 : tensor<64x4xf32> loc("jit(lora_step)/sqrt")
    %cst_19 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/add")
    %63 = stablehlo.add %61, %62 : tensor<64x4xf32> loc("jit(lora_step)/add")
    %64 = stablehlo.divide %49, %63 : tensor<64x4xf32> loc("jit(lora_step)/div")
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/add")
    %66 = stablehlo.add %58, %65 : tensor<4x64xf32> loc("jit(lora_step)/add")
    %67 = stablehlo.sqrt %66 : tensor<4x64xf32> loc("jit(lora_step)/sqrt")
    %cst_21 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/add")
    %69 = stablehlo.add %67, %68 : tensor<4x64xf32> loc("jit(lora_step)/add")
    %70 = stablehlo.divide %51, %69 : tensor<4x64xf32> loc("jit(lora_step)/div")
    %cst_22 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64x4xf32> loc("jit(lora_step)/mul")
    %72 = stablehlo.multiply %71, %64 : tensor<64x4xf32> loc("jit(lora_step)/mul")
    %cst_23 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x64xf32> loc("jit(lora_step)/mul")
    %74 = stablehlo.multiply %73, %70 : tensor<4x64xf32> loc("jit(lora_step)/mul")
    %75 = stablehlo.add %arg0, %72 : tensor<64x4xf32> loc("jit(lora_step)/add")
    %76 = stablehlo.add %arg1, %74 : tensor<4x64xf32> loc("jit(lora_step)/add")
    return %75, %76, %44, %24, %29, %35, %41 : tensor<64x4xf32>, tensor<4x64xf32>, tensor<i32>, tensor<64x4xf32>, tensor<4x64xf32>, tensor<64x4xf32>, tensor<4x64xf32>
  }
  func.func private @_where(%arg0: tensor<i1> loc(unknown), %arg1: tensor<i32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
