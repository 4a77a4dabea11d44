// RUN: rm -f %t.said
// RUN: for f in f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10; do ! tess eval %s --function $f >>%t.said 2>&1 || exit 1; done
// RUN: FileCheck %s <%t.said
// What LAPACK would complain of, or believe and write elsewhere, is an error before it is called.

// CHECK: result 1 of @lapack_sgetrf_ffi must be i32[2]
func.func @f0() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xi32>, tensor<i32>)
  return %r#0 : tensor<2x3xf32>
}

// CHECK: operand 0 of @lapack_dgetrf_ffi must be f64{{\[m,n\]}}
func.func @f1() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%0) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xi32>, tensor<i32>)
  return %r#0 : tensor<2x3xf32>
}

// CHECK: operand 0 of @lapack_spotrf_ffi must be f32[2,2]
func.func @f2() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<i32>)
  return %r#0 : tensor<2x3xf32>
}

// CHECK: "uplo" of @lapack_spotrf_ffi must be the code of one of the letters UL, not 88
func.func @f3() -> tensor<2x2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {uplo = 88 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %r#0 : tensor<2x2xf32>
}

// CHECK: "mode" of @lapack_sgesdd_ffi must be the code of one of the letters ASN, not 79
func.func @f4() -> tensor<2x2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%0) {mhlo.backend_config = {mode = 79 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  return %r#0 : tensor<2x2xf32>
}

// CHECK: result 2 of @lapack_sgesdd_ffi must be f32[3,3]
func.func @f5() -> tensor<3x2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%0) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<i32>)
  return %r#0 : tensor<3x2xf32>
}

// CHECK: 2 reflections of 2 rows do not make 3 columns
func.func @f6() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %r = stablehlo.custom_call @lapack_sorgqr_ffi(%0, %1) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK: the first has 2 rows, the last 3 columns
func.func @f7() -> tensor<2x3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r = stablehlo.custom_call @lapack_sormqr_ffi(%0, %1, %2) {mhlo.backend_config = {left = false}} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK: the first has 2 rows, the last 3 rows
func.func @f8() -> tensor<3x2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %r = stablehlo.custom_call @lapack_strsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8}} : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK: operand 1 of @lapack_sgtsv_ffi must be f32[3]
func.func @f9() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<3xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<3xf32>
  %3 = stablehlo.constant dense<1.0> : tensor<3x1xf32>
  %r:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%0, %1, %2, %3) : (tensor<3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<3x1xf32>) -> (tensor<3xf32>, tensor<2xf32>, tensor<3xf32>, tensor<3x1xf32>, tensor<i32>)
  return %r#0 : tensor<3xf32>
}

// CHECK: operands and results do not fit 0 dimensions of batch
func.func @f10() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) : (tensor<f32>) -> (tensor<f32>, tensor<i32>, tensor<i32>)
  return %r#0 : tensor<f32>
}
