// A step of decoding: the cache is state, 2*32*64 f32, and neither parameter nor the optimizer's; what has the name
// of parameters is one, (128*64 + 2*64*64 + 64*128) f32 = 98,304 bytes.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 98.3 kB, activations 1.02 kB, inputs 12 B, outputs 1.02 kB, other 16.4 kB
module @jit_decode attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  sdy.mesh @empty_mesh = <[]>
  func.func public @main(%arg0: tensor<128x64xf32> loc("params['emb']"), %arg1: tensor<64x64xf32> loc("params['k']"), %arg2: tensor<64x128xf32> loc("params['o']"), %arg3: tensor<64x64xf32> loc("params['q']"), %arg4: tensor<8x32x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>} loc("cache"), %arg5: tensor<8xi32> loc("tok"), %arg6: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>} loc("pos")) -> (tensor<8x128xf32> {jax.result_info = "result[0]"}, tensor<8x32x64xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32> loc("jit(decode)/lt")
    %1 = stablehlo.compare LT, %arg5, %0, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1> loc("jit(decode)/lt")
    %c_0 = stablehlo.constant dense<128> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32> loc("jit(decode)/add")
    %3 = stablehlo.add %arg5, %2 : tensor<8xi32> loc("jit(decode)/add")
    %4 = stablehlo.select %1, %3, %arg5 : tensor<8xi1>, tensor<8xi32> loc("jit(decode)/select_n")
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32> loc("jit(decode)/broadcast_in_dim")
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<128x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32> loc("jit(decode)/gather")
    %7 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32> loc("jit(decode)/dot_general")
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<8x64xf32>) -> tensor<8x1x64xf32> loc("jit(decode)/broadcast_in_dim")
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %arg6, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(decode)/lt")
    %c_2 = stablehlo.constant dense<32> : tensor<i32>
    %10 = stablehlo.add %arg6, %c_2 : tensor<i32> loc("jit(decode)/add")
    %11 = stablehlo.select %9, %10, %arg6 : tensor<i1>, tensor<i32> loc("jit(decode)/select_n")
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.dynamic_update_slice %arg4, %8, %c_3, %11, %c_4 : (tensor<8x32x64xf32>, tensor<8x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x32x64xf32> loc("jit(decode)/dynamic_update_slice")
    %13 = stablehlo.dot_general %6, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32> loc("jit(decode)/dot_general")
    %14 = stablehlo.dot_general %13, %12, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x32x64xf32>) -> tensor<8x32xf32> loc("jit(decode)/bd,btd->bt/dot_general")
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32> loc("jit(decode)/reduce_max")
    %15 = stablehlo.reduce(%14 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(decode)/reduce_max")
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32> loc("jit(decode)/max")
    %17 = stablehlo.maximum %16, %15 : tensor<8xf32> loc("jit(decode)/max")
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32> loc("jit(decode)/broadcast_in_dim")
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32> loc("jit(decode)/sub")
    %20 = stablehlo.subtract %14, %19 : tensor<8x32xf32> loc("jit(decode)/sub")
    %21 = stablehlo.exponential %20 : tensor<8x32xf32> loc("jit(decode)/exp")
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(decode)/reduce_sum")
    %22 = stablehlo.reduce(%21 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32> loc("jit(decode)/reduce_sum")
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32> loc("jit(decode)/broadcast_in_dim")
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32> loc("jit(decode)/div")
    %25 = stablehlo.divide %21, %24 : tensor<8x32xf32> loc("jit(decode)/div")
    %26 = stablehlo.dot_general %25, %12, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x32x64xf32>) -> tensor<8x64xf32> loc("jit(decode)/bt,btd->bd/dot_general")
    %27 = stablehlo.dot_general %26, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x128xf32>) -> tensor<8x128xf32> loc("jit(decode)/dot_general")
    return %27, %12 : tensor<8x128xf32>, tensor<8x32x64xf32>
  }
}
