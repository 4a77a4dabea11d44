// RUN: tess eval %s --quiet
// RUN: env TESS_LAPACK_LIBRARY=none tess eval %s --quiet
// Programs of earlier versions of JAX do not say num_batch_dims: what the first operand has before the
// dimensions that the routine takes is the batch, vectors among them.

func.func @main() {
  // rows of [2 1 0; 1 3 1; 0 1 2] and of [1 0 0; 2 1 0; 0 2 1]; gtsv ignores the first of the lower diagonal
  %dl = stablehlo.constant dense<[[0.0, 1.0, 1.0], [0.0, 2.0, 2.0]]> : tensor<2x3xf64>
  %d = stablehlo.constant dense<[[2.0, 3.0, 2.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf64>
  %du = stablehlo.constant dense<[[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  %b = stablehlo.constant dense<[[[4.0], [10.0], [8.0]], [[1.0], [4.0], [7.0]]]> : tensor<2x3x1xf64>
  %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x1xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x1xf64>, tensor<2xi32>)
  check.expect_almost_eq_const %0#3, dense<[[[1.0], [2.0], [3.0]], [[1.0], [2.0], [3.0]]]> : tensor<2x3x1xf64>
  check.expect_eq_const %0#4, dense<0> : tensor<2xi32>

  // matrices: as before
  %a = stablehlo.constant dense<[[[4.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 16.0]]]> : tensor<2x2x2xf32>
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  check.expect_almost_eq_const %1#0, dense<[[[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 4.0]]]> : tensor<2x2x2xf32>
  return
}
