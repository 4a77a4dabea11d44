module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func @main(%arg0: tensor<8x1000xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tess.global_type = tensor<64x1000xf32>}) -> (tensor<f32> {tess.global_type = tensor<f32>}, tensor<8x1000xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tess.global_type = tensor<64x1000xf32>}) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+07> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x1000xf32>, tensor<f32>) -> tensor<8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare EQ, %1, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.select %3, %cst, %cst_1 : tensor<i1>, tensor<f32>
    %5 = stablehlo.reduce(%2 init: %4) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare EQ, %1, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.select %6, %cst, %cst_3 : tensor<i1>, tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %7) applies stablehlo.add across dimensions = [0] : (tensor<8x1000xf32>, tensor<f32>) -> tensor<1000xf32>
    %9:2 = "stablehlo.all_reduce"(%8, %5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %13 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<1000xf32>, tensor<f32>) -> (tensor<1000xf32>, tensor<f32>)
    %10 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.subtract %9#1, %10 : tensor<f32>
    %12 = stablehlo.multiply %11, %cst_0 : tensor<f32>
    return %12, %arg0 : tensor<f32>, tensor<8x1000xf32>
  }
}
