// State in tuples and momentum by hand, layers in a scan: nothing is named parameters.  The moments have their
// names in another tree, and the updates need derivatives.  By hand: parameters (128*64 + 6*64*64) f32 and the
// layer that runs, 64*64; momentum as they are; gradients as they are, and that of the layer before it is added.
// RUN: tess report %s | FileCheck %s
// RUN: %python %S/../check_report.py tess %s
// CHECK: for parameters 147 kB, optimizer state 131 kB, gradients 164 kB, activations 156 kB, inputs 128 B
// CHECK-NEXT: alive
module @jit_scan_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<128x64xf32> {jax.buffer_donor = true} loc("s[0]['emb']"), %arg1: tensor<6x64x64xf32> {jax.buffer_donor = true} loc("s[0]['layers']"), %arg2: tensor<128x64xf32> {jax.buffer_donor = true} loc("s[1]['emb']"), %arg3: tensor<6x64x64xf32> {jax.buffer_donor = true} loc("s[1]['layers']"), %arg4: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch")) -> (tensor<128x64xf32> {jax.result_info = "result[0]['emb']"}, tensor<6x64x64xf32> {jax.result_info = "result[0]['layers']"}, tensor<128x64xf32> {jax.result_info = "result[1]['emb']"}, tensor<6x64x64xf32> {jax.result_info = "result[1]['layers']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x8xi32> loc("jit(scan_step)/jvp()/lt")
    %1 = stablehlo.compare LT, %arg4, %0, SIGNED : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1> loc("jit(scan_step)/jvp()/lt")
    %c_0 = stablehlo.constant dense<128> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x8xi32> loc("jit(scan_step)/jvp()/add")
    %3 = stablehlo.add %arg4, %2 : tensor<16x8xi32> loc("jit(scan_step)/jvp()/add")
    %4 = stablehlo.select %1, %3, %arg4 : tensor<16x8xi1>, tensor<16x8xi32> loc("jit(scan_step)/jvp()/select_n")
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x8xi32>) -> tensor<16x8x1xi32> loc("jit(scan_step)/jvp()/broadcast_in_dim")
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<128x64xf32>, tensor<16x8x1xi32>) -> tensor<16x8x64xf32> loc("jit(scan_step)/jvp()/gather")
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(scan_step)/jvp()/empty2")
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/broadcast_in_dim")
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(scan_step)/jvp()/empty2")
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/broadcast_in_dim")
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(scan_step)/jvp()/empty2")
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/broadcast_in_dim")
    %c_4 = stablehlo.constant dense<0> : tensor<i32> loc("jit(scan_step)/jvp()/scan")
    %10:7 = stablehlo.while(%iterArg = %arg1, %iterArg_15 = %cst, %iterArg_16 = %c_4, %iterArg_17 = %6, %iterArg_18 = %7, %iterArg_19 = %8, %iterArg_20 = %9) : tensor<6x64x64xf32>, tensor<f32>, tensor<i32>, tensor<16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>
    cond {
      %c_21 = stablehlo.constant dense<6> : tensor<i32> loc("jit(scan_step)/jvp()/while")
      %39 = stablehlo.compare LT, %iterArg_16, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(scan_step)/jvp()/while/cond/lt")
      stablehlo.return %39 : tensor<i1> loc("jit(scan_step)/jvp()/while")
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_16) : (tensor<6x64x64xf32>, tensor<i32>) -> tensor<64x64xf32> loc("jit(scan_step)/jvp()/while/body/jit(dynamic_index_in_dim)")
      %40:4 = func.call @eval_jaxpr(%iterArg_15, %iterArg_17, %39) : (tensor<f32>, tensor<16x8x64xf32>, tensor<64x64xf32>) -> (tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>) loc("jit(scan_step)/jvp()/while/body/eval_jaxpr")
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_18, %40#1, %iterArg_16) : (tensor<6x16x8x64xf32>, tensor<16x8x64xf32>, tensor<i32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/while/body/jit(dynamic_update_index_in_dim)")
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_19, %40#2, %iterArg_16) : (tensor<6x16x8x64xf32>, tensor<16x8x64xf32>, tensor<i32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/while/body/jit(dynamic_update_index_in_dim)")
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_20, %40#3, %iterArg_16) : (tensor<6x16x8x64xf32>, tensor<16x8x64xf32>, tensor<i32>) -> tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/while/body/jit(dynamic_update_index_in_dim)")
      %c_21 = stablehlo.constant dense<1> : tensor<i32> loc("jit(scan_step)/jvp()/while")
      %44 = stablehlo.add %iterArg_16, %c_21 : tensor<i32> loc("jit(scan_step)/jvp()/while/body/add")
      stablehlo.return %iterArg, %iterArg_15, %44, %40#0, %41, %42, %43 : tensor<6x64x64xf32>, tensor<f32>, tensor<i32>, tensor<16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32> loc("jit(scan_step)/jvp()/while")
    } loc("jit(scan_step)/jvp()/while")
    %11 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32> loc("jit(scan_step)/jvp()/transpose")
    %12 = stablehlo.dot_general %10#3, %11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<64x128xf32>) -> tensor<16x8x128xf32> loc("jit(scan_step)/jvp()/dot_general")
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8x128xf32> loc("jit(scan_step)/jvp()/mul")
    %14 = stablehlo.multiply %13, %12 : tensor<16x8x128xf32> loc("jit(scan_step)/jvp()/mul")
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %15 = stablehlo.divide %cst_6, %cst_7 : tensor<f32> loc("jit(scan_step)/transpose(jvp())/div")
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<16x8x128xf32> loc("jit(scan_step)/transpose(jvp())/broadcast_in_dim")
    %17 = stablehlo.multiply %16, %14 : tensor<16x8x128xf32> loc("jit(scan_step)/transpose(jvp())/mul")
    %18 = stablehlo.dot_general %17, %10#3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x128xf32>, tensor<16x8x64xf32>) -> tensor<128x64xf32> loc("jit(scan_step)/transpose(jvp())/dot_general")
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32> loc("jit(scan_step)/transpose(jvp())/transpose")
    %20 = stablehlo.dot_general %17, %11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x128xf32>, tensor<64x128xf32>) -> tensor<16x8x64xf32> loc("jit(scan_step)/transpose(jvp())/dot_general")
    %21 = stablehlo.transpose %19, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32> loc("jit(scan_step)/transpose(jvp())/transpose")
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc("jit(scan_step)/transpose(jvp())/empty2")
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x64x64xf32> loc("jit(scan_step)/transpose(jvp())/broadcast_in_dim")
    %c_9 = stablehlo.constant dense<0> : tensor<i32> loc("jit(scan_step)/transpose(jvp())/scan")
    %23:7 = stablehlo.while(%iterArg = %arg1, %iterArg_15 = %10#4, %iterArg_16 = %10#5, %iterArg_17 = %10#6, %iterArg_18 = %c_9, %iterArg_19 = %20, %iterArg_20 = %22) : tensor<6x64x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<i32>, tensor<16x8x64xf32>, tensor<6x64x64xf32>
    cond {
      %c_21 = stablehlo.constant dense<6> : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while")
      %39 = stablehlo.compare LT, %iterArg_18, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("jit(scan_step)/transpose(jvp())/while/cond/lt")
      stablehlo.return %39 : tensor<i1> loc("jit(scan_step)/transpose(jvp())/while")
    } do {
      %c_21 = stablehlo.constant dense<6> : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while")
      %39 = stablehlo.subtract %c_21, %iterArg_18 : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while/body/sub")
      %c_22 = stablehlo.constant dense<1> : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while")
      %40 = stablehlo.subtract %39, %c_22 : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while/body/sub")
      %41 = func.call @dynamic_index_in_dim(%iterArg, %40) : (tensor<6x64x64xf32>, tensor<i32>) -> tensor<64x64xf32> loc("jit(scan_step)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)")
      %42 = func.call @dynamic_index_in_dim_0(%iterArg_15, %40) : (tensor<6x16x8x64xf32>, tensor<i32>) -> tensor<16x8x64xf32> loc("jit(scan_step)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)")
      %43 = func.call @dynamic_index_in_dim_0(%iterArg_16, %40) : (tensor<6x16x8x64xf32>, tensor<i32>) -> tensor<16x8x64xf32> loc("jit(scan_step)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)")
      %44 = func.call @dynamic_index_in_dim_0(%iterArg_17, %40) : (tensor<6x16x8x64xf32>, tensor<i32>) -> tensor<16x8x64xf32> loc("jit(scan_step)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)")
      %45:2 = func.call @eval_jaxpr_1(%iterArg_19, %41, %42, %43, %44) : (tensor<16x8x64xf32>, tensor<64x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>) -> (tensor<16x8x64xf32>, tensor<64x64xf32>) loc("jit(scan_step)/transpose(jvp())/while/body/eval_jaxpr")
      %46 = func.call @dynamic_update_index_in_dim_2(%iterArg_20, %45#1, %40) : (tensor<6x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<6x64x64xf32> loc("jit(scan_step)/transpose(jvp())/while/body/jit(dynamic_update_index_in_dim)")
      %c_23 = stablehlo.constant dense<1> : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while")
      %47 = stablehlo.add %iterArg_18, %c_23 : tensor<i32> loc("jit(scan_step)/transpose(jvp())/while/body/add")
      stablehlo.return %iterArg, %iterArg_15, %iterArg_16, %iterArg_17, %47, %45#0, %46 : tensor<6x64x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<6x16x8x64xf32>, tensor<i32>, tensor<16x8x64xf32>, tensor<6x64x64xf32> loc("jit(scan_step)/transpose(jvp())/while")
    } loc("jit(scan_step)/transpose(jvp())/while")
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<128x64xf32> loc("jit(scan_step)/transpose(jvp())/broadcast_in_dim")
    %25 = "stablehlo.scatter"(%24, %5, %23#5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %39 = stablehlo.add %arg5, %arg6 : tensor<f32> loc("jit(scan_step)/transpose(jvp())/add")
      stablehlo.return %39 : tensor<f32> loc("jit(scan_step)/transpose(jvp())/scatter-add")
    }) : (tensor<128x64xf32>, tensor<16x8x1xi32>, tensor<16x8x64xf32>) -> tensor<128x64xf32> loc("jit(scan_step)/transpose(jvp())/scatter-add")
    %26 = stablehlo.add %21, %25 : tensor<128x64xf32> loc("jit(scan_step)/transpose(jvp())/add_any")
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<128x64xf32> loc("jit(scan_step)/mul")
    %28 = stablehlo.multiply %27, %arg2 : tensor<128x64xf32> loc("jit(scan_step)/mul")
    %29 = stablehlo.add %28, %26 : tensor<128x64xf32> loc("jit(scan_step)/add")
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x64x64xf32> loc("jit(scan_step)/mul")
    %31 = stablehlo.multiply %30, %arg3 : tensor<6x64x64xf32> loc("jit(scan_step)/mul")
    %32 = stablehlo.add %31, %23#6 : tensor<6x64x64xf32> loc("jit(scan_step)/add")
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<128x64xf32> loc("jit(scan_step)/mul")
    %34 = stablehlo.multiply %33, %29 : tensor<128x64xf32> loc("jit(scan_step)/mul")
    %35 = stablehlo.subtract %arg0, %34 : tensor<128x64xf32> loc("jit(scan_step)/sub")
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x64x64xf32> loc("jit(scan_step)/mul")
    %37 = stablehlo.multiply %36, %32 : tensor<6x64x64xf32> loc("jit(scan_step)/mul")
    %38 = stablehlo.subtract %arg1, %37 : tensor<6x64x64xf32> loc("jit(scan_step)/sub")
    return %35, %38, %29, %32 : tensor<128x64xf32>, tensor<6x64x64xf32>, tensor<128x64xf32>, tensor<6x64x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x64x64xf32> loc(unknown), %arg1: tensor<i32> loc(unknown)) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<6x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @eval_jaxpr(%arg0: tensor<f32> loc(unknown), %arg1: tensor<16x8x64xf32> loc(unknown), %arg2: tensor<64x64xf32> loc(unknown)) -> (tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<64x64xf32>) -> tensor<16x8x64xf32>
    %1 = stablehlo.tanh %0 : tensor<16x8x64xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<16x8x64xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<16x8x64xf32>
    return %1, %arg1, %1, %3 : tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>, tensor<16x8x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x16x8x64xf32> loc(unknown), %arg1: tensor<16x8x64xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<6x16x8x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<16x8x64xf32>) -> tensor<1x16x8x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x16x8x64xf32>, tensor<1x16x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x16x8x64xf32>
    return %1 : tensor<6x16x8x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x16x8x64xf32> loc(unknown), %arg1: tensor<i32> loc(unknown)) -> tensor<16x8x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 16, 8, 64] : (tensor<6x16x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x8x64xf32>) -> tensor<16x8x64xf32>
    return %1 : tensor<16x8x64xf32>
  }
  func.func private @eval_jaxpr_1(%arg0: tensor<16x8x64xf32> loc(unknown), %arg1: tensor<64x64xf32> loc(unknown), %arg2: tensor<16x8x64xf32> loc(unknown), %arg3: tensor<16x8x64xf32> loc(unknown), %arg4: tensor<16x8x64xf32> loc(unknown)) -> (tensor<16x8x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.multiply %arg0, %arg4 : tensor<16x8x64xf32>
    %1 = stablehlo.multiply %0, %arg3 : tensor<16x8x64xf32>
    %2 = stablehlo.add %0, %1 : tensor<16x8x64xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<16x8x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %2, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64xf32>, tensor<64x64xf32>) -> tensor<16x8x64xf32>
    return %5, %4 : tensor<16x8x64xf32>, tensor<64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x64x64xf32> loc(unknown), %arg1: tensor<64x64xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<6x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x64xf32>
    return %1 : tensor<6x64x64xf32>
  }
}
