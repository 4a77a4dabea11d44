// RUN: tess eval %s --quiet
// Factors of matrices without elements, and of no matrices: LAPACK is not called, results without
// elements have their shapes, info is 0, and orthogonal factors are identities.

func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %eye = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %ceye = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %a = stablehlo.constant dense<1.0> : tensor<0x0xf32>
  %z = stablehlo.constant dense<(1.0, 0.0)> : tensor<0x0xcomplex<f32>>
  %b = stablehlo.constant dense<1.0> : tensor<2x0x0xf64>
  %none = stablehlo.constant dense<1.0> : tensor<0x3x3xf32>
  %nones = stablehlo.constant dense<1.0> : tensor<0x3xf32>
  %tall = stablehlo.constant dense<1.0> : tensor<2x0xf32>
  %wide = stablehlo.constant dense<1.0> : tensor<0x2xf32>
  %v = stablehlo.constant dense<1.0> : tensor<0xf32>
  %w = stablehlo.constant dense<1.0> : tensor<0xf64>

  %potrf:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<i32>)
  check.expect_eq %potrf#1, %zero : tensor<i32>
  %getrf:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%b) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<2x0x0xf64>) -> (tensor<2x0x0xf64>, tensor<2x0xi32>, tensor<2xi32>)
  check.expect_eq %getrf#2, %zeros : tensor<2xi32>
  %getrf_wide:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%wide) : (tensor<0x2xf32>) -> (tensor<0x2xf32>, tensor<0xi32>, tensor<i32>)
  check.expect_eq %getrf_wide#2, %zero : tensor<i32>
  %getrf_none:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%none) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<0x3x3xf32>) -> (tensor<0x3x3xf32>, tensor<0x3xi32>, tensor<0xi32>)
  %geqrf:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%tall) : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<0xf32>)
  %orgqr = stablehlo.custom_call @lapack_sorgqr_ffi(%tall, %v) : (tensor<2x0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
  // no reflections: the first columns of the identity
  %full = stablehlo.constant dense<5.0> : tensor<2x2xf32>
  %orgqr_full = stablehlo.custom_call @lapack_sorgqr_ffi(%full, %v) : (tensor<2x2xf32>, tensor<0xf32>) -> tensor<2x2xf32>
  check.expect_eq %orgqr_full, %eye : tensor<2x2xf32>
  %ormqr = stablehlo.custom_call @lapack_sormqr_ffi(%tall, %v, %full) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<2x0xf32>, tensor<0xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq %ormqr, %full : tensor<2x2xf32>
  %columns = stablehlo.constant dense<0> : tensor<2xi32>
  %geqp3:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%wide, %columns) : (tensor<0x2xf32>, tensor<2xi32>) -> (tensor<0x2xf32>, tensor<2xi32>, tensor<0xf32>)
  check.expect_eq_const %geqp3#1, dense<[1, 2]> : tensor<2xi32>
  %gesdd:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%tall) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<0xf32>, tensor<2x2xf32>, tensor<0x0xf32>, tensor<i32>)
  check.expect_eq %gesdd#2, %eye : tensor<2x2xf32>
  check.expect_eq %gesdd#4, %zero : tensor<i32>
  %ctall = stablehlo.constant dense<(1.0, 0.0)> : tensor<0x2xcomplex<f64>>
  %gesvd:5 = stablehlo.custom_call @lapack_zgesvd_ffi(%ctall) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<0x2xcomplex<f64>>) -> (tensor<0x2xcomplex<f64>>, tensor<0xf64>, tensor<0x0xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
  check.expect_eq %gesvd#3, %ceye : tensor<2x2xcomplex<f64>>
  %gesdd_thin:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%tall) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x0xf32>) -> (tensor<2x0xf32>, tensor<0xf32>, tensor<2x0xf32>, tensor<0x0xf32>, tensor<i32>)
  check.expect_eq %gesdd_thin#4, %zero : tensor<i32>
  %syevd:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<0xf32>, tensor<i32>)
  check.expect_eq %syevd#2, %zero : tensor<i32>
  %heevd:3 = stablehlo.custom_call @lapack_cheevd_ffi(%z) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<0x0xcomplex<f32>>) -> (tensor<0x0xcomplex<f32>>, tensor<0xf32>, tensor<i32>)
  check.expect_eq %heevd#2, %zero : tensor<i32>
  %three = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %trsm = stablehlo.custom_call @lapack_strsm_ffi(%three, %tall) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
  %geev:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<0x0xf32>) -> (tensor<0xf32>, tensor<0xf32>, tensor<0x0xcomplex<f32>>, tensor<0x0xcomplex<f32>>, tensor<i32>)
  check.expect_eq %geev#4, %zero : tensor<i32>
  %gees:6 = stablehlo.custom_call @lapack_dgees_ffi(%b) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<2x0x0xf64>) -> (tensor<2x0x0xf64>, tensor<2x0x0xf64>, tensor<2x0xf64>, tensor<2x0xf64>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq %gees#5, %zeros : tensor<2xi32>
  %gehrd:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {low = 1 : i32, high = 0 : i32}} : (tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<0xf32>, tensor<i32>)
  check.expect_eq %gehrd#2, %zero : tensor<i32>
  %sytrd:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<i32>)
  check.expect_eq %sytrd#4, %zero : tensor<i32>
  %rhs = stablehlo.constant dense<1.0> : tensor<0x3xf64>
  %gtsv:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%w, %w, %w, %rhs) : (tensor<0xf64>, tensor<0xf64>, tensor<0xf64>, tensor<0x3xf64>) -> (tensor<0xf64>, tensor<0xf64>, tensor<0xf64>, tensor<0x3xf64>, tensor<i32>)
  check.expect_eq %gtsv#4, %zero : tensor<i32>
  return
}
