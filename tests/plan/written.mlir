// A plan costs the same if its annotations of values are written as constraints, as users have to.  Here the
// products of queries and keys are annotated as split over one axis, but are used as split over both.  A closed
// constraint would gather them.
// RUN: echo 'slow like=h100x8 flops_f32=1e9 flops_f32_high=1e9 flops_f32_default=1e9 flops_vector=1e9 \' > %t.txt
// RUN: echo '  memory=1e9 memory_bandwidth=4e9 link=1e9 latency=1e-9 launch=1e-9 floor=2e-9 node=64 \' >> %t.txt
// RUN: echo '  torus_axes=2 torus_extent=4' >> %t.txt
// RUN: tess plan %s --target %t.txt --devices 8 --json -o %t.planned.mlir > %t.json
// RUN: %python %S/as_constraints.py < %t.planned.mlir > %t.written.mlir
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.written.mlir
// WRITTEN: sdy.sharding_constraint
// RUN: tess report %t.written.mlir --target %t.txt --json > %t.report.json
// RUN: %python %S/same_cost.py %t.json %t.report.json
// RUN: tess plan %s --target %t.txt --devices 8 --emit jax | FileCheck %s --check-prefix=JAX
// JAX: P(P.UNCONSTRAINED, "data", P.UNCONSTRAINED, P.UNCONSTRAINED, P.UNCONSTRAINED)

module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<96x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<4x8x32xf32>, %arg5: tensor<32x3x4x8xf32>, %arg6: tensor<32x64xf32>, %arg7: tensor<64x32xf32>, %arg8: tensor<4x16xi32>) -> (tensor<4x96xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
    %1 = stablehlo.compare LT, %arg8, %0, SIGNED : (tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi1>
    %c_0 = stablehlo.constant dense<96> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
    %3 = stablehlo.add %arg8, %2 : tensor<4x16xi32>
    %4 = stablehlo.select %1, %3, %arg8 : tensor<4x16xi1>, tensor<4x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<96x32xf32>, tensor<4x16x1xi32>) -> tensor<4x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x16x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x16x32xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<4x16x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<4x16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<4x16x1xf32>
    %20 = stablehlo.rsqrt %19 : tensor<4x16x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %22 = stablehlo.multiply %12, %21 : tensor<4x16x32xf32>
    %23 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<4x16x32xf32>
    %26 = stablehlo.dot_general %25, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x3x4x8xf32>) -> tensor<4x16x3x4x8xf32>
    %27 = stablehlo.transpose %26, dims = [2, 0, 1, 3, 4] : (tensor<4x16x3x4x8xf32>) -> tensor<3x4x16x4x8xf32>
    %28 = stablehlo.slice %27 [0:1, 0:4, 0:16, 0:4, 0:8] : (tensor<3x4x16x4x8xf32>) -> tensor<1x4x16x4x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x4x16x4x8xf32>) -> tensor<4x16x4x8xf32>
    %30 = stablehlo.slice %27 [1:2, 0:4, 0:16, 0:4, 0:8] : (tensor<3x4x16x4x8xf32>) -> tensor<1x4x16x4x8xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x4x16x4x8xf32>) -> tensor<4x16x4x8xf32>
    %32 = stablehlo.slice %27 [2:3, 0:4, 0:16, 0:4, 0:8] : (tensor<3x4x16x4x8xf32>) -> tensor<1x4x16x4x8xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x4x16x4x8xf32>) -> tensor<4x16x4x8xf32>
    %34 = stablehlo.reshape %29 : (tensor<4x16x4x8xf32>) -> tensor<4x16x4x1x8xf32>
    %35 = stablehlo.dot_general %31, %34, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x16x4x8xf32>, tensor<4x16x4x1x8xf32>) -> tensor<4x4x16x16x1xf32>
    %36 = stablehlo.transpose %35, dims = [0, 1, 4, 3, 2] : (tensor<4x4x16x16x1xf32>) -> tensor<4x4x1x16x16xf32>
    %cst_5 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4x1x16x16xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<4x4x1x16x16xf32>
    %39 = stablehlo.iota dim = 0 : tensor<16xi32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %41 = stablehlo.iota dim = 0 : tensor<16xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %43 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %45 = stablehlo.compare GE, %43, %44, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %46 = call @_where(%45, %38, %cst_6) : (tensor<16x16xi1>, tensor<4x4x1x16x16xf32>, tensor<f32>) -> tensor<4x4x1x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_7) applies stablehlo.maximum across dimensions = [4] : (tensor<4x4x1x16x16xf32>, tensor<f32>) -> tensor<4x4x1x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4x1x16xf32>
    %49 = stablehlo.maximum %48, %47 : tensor<4x4x1x16xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<4x4x1x16xf32>) -> tensor<4x4x1x16x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3, 4] : (tensor<4x4x1x16x1xf32>) -> tensor<4x4x1x16x16xf32>
    %52 = stablehlo.subtract %46, %51 : tensor<4x4x1x16x16xf32>
    %53 = stablehlo.exponential %52 : tensor<4x4x1x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<4x4x1x16x16xf32>, tensor<f32>) -> tensor<4x4x1x16xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<4x4x1x16xf32>) -> tensor<4x4x1x16x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3, 4] : (tensor<4x4x1x16x1xf32>) -> tensor<4x4x1x16x16xf32>
    %57 = stablehlo.divide %53, %56 : tensor<4x4x1x16x16xf32>
    %58 = stablehlo.dot_general %33, %57, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x16x4x8xf32>, tensor<4x4x1x16x16xf32>) -> tensor<4x4x8x1x16xf32>
    %59 = stablehlo.transpose %58, dims = [0, 4, 1, 3, 2] : (tensor<4x4x8x1x16xf32>) -> tensor<4x16x4x1x8xf32>
    %60 = stablehlo.reshape %59 : (tensor<4x16x4x1x8xf32>) -> tensor<4x16x4x8xf32>
    %61 = stablehlo.dot_general %60, %arg4, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x4x8xf32>, tensor<4x8x32xf32>) -> tensor<4x16x32xf32>
    %62 = stablehlo.add %6, %61 : tensor<4x16x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_11 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %66 = stablehlo.divide %64, %65 : tensor<4x16x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %68 = stablehlo.subtract %62, %67 : tensor<4x16x32xf32>
    %69 = stablehlo.multiply %68, %68 : tensor<4x16x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_13 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %73 = stablehlo.divide %71, %72 : tensor<4x16x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %75 = stablehlo.add %73, %74 : tensor<4x16x1xf32>
    %76 = stablehlo.rsqrt %75 : tensor<4x16x1xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %78 = stablehlo.multiply %68, %77 : tensor<4x16x32xf32>
    %79 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %81 = stablehlo.multiply %78, %80 : tensor<4x16x32xf32>
    %82 = stablehlo.dot_general %81, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x64xf32>) -> tensor<4x16x64xf32>
    %83 = stablehlo.multiply %82, %82 : tensor<4x16x64xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<4x16x64xf32>
    %cst_15 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<4x16x64xf32>
    %87 = stablehlo.add %82, %86 : tensor<4x16x64xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<4x16x64xf32>
    %90 = stablehlo.tanh %89 : tensor<4x16x64xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %92 = stablehlo.add %91, %90 : tensor<4x16x64xf32>
    %cst_18 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %94 = stablehlo.multiply %93, %92 : tensor<4x16x64xf32>
    %95 = stablehlo.multiply %82, %94 : tensor<4x16x64xf32>
    %96 = stablehlo.dot_general %95, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64xf32>, tensor<64x32xf32>) -> tensor<4x16x32xf32>
    %97 = stablehlo.add %62, %96 : tensor<4x16x32xf32>
    %98 = stablehlo.slice %97 [0:4, 15:16, 0:32] : (tensor<4x16x32xf32>) -> tensor<4x1x32xf32>
    %99 = stablehlo.reshape %98 : (tensor<4x1x32xf32>) -> tensor<4x32xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_20 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<4x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %105 = stablehlo.subtract %99, %104 : tensor<4x32xf32>
    %106 = stablehlo.multiply %105, %105 : tensor<4x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_22 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<4x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %112 = stablehlo.add %110, %111 : tensor<4x1xf32>
    %113 = stablehlo.rsqrt %112 : tensor<4x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %115 = stablehlo.multiply %105, %114 : tensor<4x32xf32>
    %116 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %118 = stablehlo.multiply %115, %117 : tensor<4x32xf32>
    %119 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %120 = stablehlo.dot_general %118, %119, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x96xf32>) -> tensor<4x96xf32>
    return %120 : tensor<4x96xf32>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<4x4x1x16x16xf32>, %arg2: tensor<f32>) -> tensor<4x4x1x16x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<16x16xi1>) -> tensor<4x4x1x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x1x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x1x16x16xi1>, tensor<4x4x1x16x16xf32>
    return %3 : tensor<4x4x1x16x16xf32>
  }
}
