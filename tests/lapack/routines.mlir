// REQUIRES: lapack
// RUN: tess eval %s --quiet
// Routines that only a LAPACK has.  Factors are put together again: eigenvectors V have A V = V W,
// Schur's Z T Z^H is A.  What reflectors make is by hand: of the column (3, 4) one is
// H = I - 1.6 v v^T with v = (1, 0.5), and H (3, 4) = (-5, 0).

// Eigenvalues i, -i and 2: two columns of LAPACK's are the real and imaginary parts of a pair.
func.func @eigenvectors_of_a_rotation() {
  %a = stablehlo.constant dense<[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  %w = stablehlo.complex %0#0, %0#1 : tensor<3xcomplex<f32>>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c = stablehlo.complex %a, %z : tensor<3x3xcomplex<f32>>
  %columns = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %rows = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %av = stablehlo.dot_general %c, %0#3, contracting_dims = [1] x [0] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %vw = stablehlo.multiply %0#3, %columns : tensor<3x3xcomplex<f32>>
  check.expect_almost_eq %av, %vw : tensor<3x3xcomplex<f32>>
  %left = chlo.conj %0#2 : tensor<3x3xcomplex<f32>> -> tensor<3x3xcomplex<f32>>
  %u = stablehlo.transpose %left, dims = [1, 0] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %ua = stablehlo.dot_general %u, %c, contracting_dims = [1] x [0] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %wu = stablehlo.multiply %u, %rows : tensor<3x3xcomplex<f32>>
  check.expect_almost_eq %ua, %wu : tensor<3x3xcomplex<f32>>
  %square = stablehlo.multiply %0#1, %0#1 : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %turns = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  check.expect_almost_eq_const %turns, dense<2.0> : tensor<f32>
  check.expect_eq_const %0#4, dense<0> : tensor<i32>
  return
}

func.func @eigenvalues_of_a_triangle() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (2.0, 0.0)], [(0.0, 0.0), (3.0, -1.0)]]> : tensor<2x2xcomplex<f64>>
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}} : (tensor<2x2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %0#0, dense<[(1.0, 1.0), (3.0, -1.0)]> : tensor<2xcomplex<f64>>
  return
}

func.func @schur() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 0.0], [3.0, 1.0, 5.0], [4.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %0:6 = stablehlo.custom_call @lapack_dgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<i32>, tensor<i32>)
  %zt = stablehlo.dot_general %0#1, %0#0, contracting_dims = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = stablehlo.dot_general %zt, %0#1, contracting_dims = [1] x [1] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %shift = stablehlo.constant dense<1.0> : tensor<3x3xf64>
  %2 = stablehlo.add %1, %shift : tensor<3x3xf64>
  check.expect_almost_eq_const %2, dense<[[2.0, 3.0, 1.0], [4.0, 2.0, 6.0], [5.0, 1.0, 2.0]]> : tensor<3x3xf64>
  return
}

func.func @schur_complex() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (2.0, 0.0)], [(1.0, 3.0), (3.0, -1.0)]]> : tensor<2x2xcomplex<f64>>
  %0:5 = stablehlo.custom_call @lapack_zgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i32>, tensor<i32>)
  %zt = stablehlo.dot_general %0#1, %0#0, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %z = chlo.conj %0#1 : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  %1 = stablehlo.dot_general %zt, %z, contracting_dims = [1] x [1] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %shift = stablehlo.constant dense<(1.0, 1.0)> : tensor<2x2xcomplex<f64>>
  %2 = stablehlo.add %1, %shift : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(2.0, 2.0), (3.0, 1.0)], [(2.0, 4.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

func.func @hessenberg() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 0.0], [3.0, 2.0, 0.0], [4.0, 0.0, 2.0]]> : tensor<3x3xf64>
  %0:3 = stablehlo.custom_call @lapack_dgehrd_ffi(%a) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>, tensor<i32>)
  %first = stablehlo.slice %0#0 [0:3, 0:1] : (tensor<3x3xf64>) -> tensor<3x1xf64>
  check.expect_almost_eq_const %first, dense<[[1.0], [-5.0], [0.5]]> : tensor<3x1xf64>
  %top = stablehlo.slice %0#0 [0:1, 0:3] : (tensor<3x3xf64>) -> tensor<1x3xf64>
  check.expect_almost_eq_const %top, dense<[[1.0, -1.2, -1.6]]> : tensor<1x3xf64>
  check.expect_almost_eq_const %0#1, dense<[1.6, 0.0]> : tensor<2xf64>
  return
}

func.func @tridiagonal() {
  %a = stablehlo.constant dense<[[1.0, 3.0, 4.0], [3.0, 2.0, 0.0], [4.0, 0.0, 2.0]]> : tensor<3x3xf32>
  %0:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>)
  check.expect_almost_eq_const %0#1, dense<[1.0, 2.0, 2.0]> : tensor<3xf32>
  %off = stablehlo.slice %0#2 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  check.expect_almost_eq_const %off, dense<-5.0> : tensor<1xf32>
  check.expect_almost_eq_const %0#3, dense<[1.6, 0.0]> : tensor<2xf32>
  return
}

// The longer column comes first.
func.func @pivoted() {
  %a = stablehlo.constant dense<[[1.0, 3.0], [0.0, 4.0]]> : tensor<2x2xf32>
  %free = stablehlo.constant dense<0> : tensor<2xi32>
  %0:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %free) {mhlo.backend_config = {}} : (tensor<2x2xf32>, tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %0#1, dense<[2, 1]> : tensor<2xi32>
  check.expect_almost_eq_const %0#0, dense<[[-5.0, -0.6], [0.5, -0.8]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %0#2, dense<[1.6, 0.0]> : tensor<2xf32>
  return
}

func.func @pivoted_complex() {
  %a = stablehlo.constant dense<[[(1.0, 0.0), (3.0, 0.0)], [(0.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %free = stablehlo.constant dense<0> : tensor<2xi32>
  %0:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%a, %free) {mhlo.backend_config = {}} : (tensor<2x2xcomplex<f64>>, tensor<2xi32>) -> (tensor<2x2xcomplex<f64>>, tensor<2xi32>, tensor<2xcomplex<f64>>)
  check.expect_eq_const %0#1, dense<[2, 1]> : tensor<2xi32>
  check.expect_almost_eq_const %0#0, dense<[[(-5.0, 0.0), (-0.6, 0.0)], [(0.5, 0.0), (-0.8, 0.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

func.func @reflected() {
  %h = stablehlo.constant dense<[[-5.0], [0.5]]> : tensor<2x1xf64>
  %tau = stablehlo.constant dense<1.6> : tensor<1xf64>
  %x = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf64>
  %shift = stablehlo.constant dense<1.0> : tensor<2x1xf64>
  %0 = stablehlo.custom_call @lapack_dormqr_ffi(%h, %tau, %x) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x1xf64>, tensor<1xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  %1 = stablehlo.add %0, %shift : tensor<2x1xf64>
  check.expect_almost_eq_const %1, dense<[[-4.0], [1.0]]> : tensor<2x1xf64>
  return
}

func.func @singular_values() {
  %a = stablehlo.constant dense<[[0.0, 2.0], [3.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf64>
  %0:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>, tensor<2x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %0#1, dense<[3.0, 2.0]> : tensor<2xf64>
  %s = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<2xf64>) -> tensor<2x2xf64>
  %sv = stablehlo.multiply %s, %0#3 : tensor<2x2xf64>
  %1 = stablehlo.dot_general %0#2, %sv, contracting_dims = [1] x [0] : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
  %shift = stablehlo.constant dense<1.0> : tensor<3x2xf64>
  %2 = stablehlo.add %1, %shift : tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 3.0], [4.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf64>
  return
}

func.func @solved() {
  %l = stablehlo.constant dense<[[2.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0], [3.0]]> : tensor<2x1xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%l, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %0, dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  return
}

func.func @main() {
  call @eigenvectors_of_a_rotation() : () -> ()
  call @eigenvalues_of_a_triangle() : () -> ()
  call @schur() : () -> ()
  call @schur_complex() : () -> ()
  call @hessenberg() : () -> ()
  call @tridiagonal() : () -> ()
  call @pivoted() : () -> ()
  call @pivoted_complex() : () -> ()
  call @reflected() : () -> ()
  call @singular_values() : () -> ()
  call @solved() : () -> ()
  return
}
