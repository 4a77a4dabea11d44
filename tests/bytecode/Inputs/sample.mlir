module @sample attributes {mhlo.num_partitions = 8 : i32, test.opaque = #test.any, test.list = [1 : i8, -3 : i64, 2.5 : f32, unit, "text", @main, i3]} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>, jax.buffer_donor = true}, %arg1: tensor<16x4xf32>, %arg2: tensor<?xi32>) -> (tensor<8x4xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1]>}, tensor<4xi1>) {
    %cst = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
    %cst_0 = stablehlo.constant dense<true> : tensor<4xi1>
    %cst_1 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
    %cst_2 = stablehlo.constant dense<[[(1.0, 2.0)], [(3.0, -4.0)]]> : tensor<2x1xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<0.5> : tensor<2xf8E4M3FN>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y":(1)2}]>]>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {?}], replicated={"x"}> : tensor<8x4xf32>
    %2 = stablehlo.tanh %1 : tensor<8x4xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.compare GT, %2, %2, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %2) : tensor<i32>, tensor<8x4xf32>
     cond {
      %lim = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %iterArg, %lim : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.add %iterArg, %one : tensor<i32>
      %b = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
      %s = func.call @inner(%iterArg_0, %b) {test.note = "call"} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      stablehlo.return %n, %s : tensor<i32>, tensor<8x4xf32>
    }
    %7 = stablehlo.slice %6#1 [0:8, 0:4] : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %8 = stablehlo.custom_call @foreign(%7) {mhlo.backend_config = {a = 1 : i32}, api_version = 4 : i32, has_side_effect = true} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %m = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %10 = sdy.manual_computation(%9) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%l: tensor<4x4xf32>) {
      %n = stablehlo.negate %l : tensor<4x4xf32>
      sdy.return %n : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %10, %cst : tensor<8x4xf32>, tensor<4xi1>
  }
  func.func private @inner(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %i = stablehlo.constant dense<[[1], [0], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi32>
    %0 = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
    %1 = stablehlo.subtract %0, %arg1 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @declared(tensor<2xi8>) -> (tensor<2xi8>, !stablehlo.token)
}
