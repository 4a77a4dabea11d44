// The product of a BCSR matrix of JAX with a dense matrix or vector, whole and on devices.  The last element
// of the first is room left over, and so is the column 9.

// RUN: tess eval %s | FileCheck %s
// RUN: tess verify %s --mesh x=3 --result '0=[{"x"}, {}]'
// RUN: sed 's/dense<\[0, 2, 2, 3\]> : tensor<4xi32>/dense<[0, 2, 3]> : tensor<3xi32>/; s/tensor<4xi32>, tensor<4xi32>, tensor<3x2xf32>) -> /tensor<3xi32>, tensor<4xi32>, tensor<3x2xf32>) -> /' %s >%t.short.mlir
// RUN: (! tess eval %t.short.mlir 2>&1) | FileCheck %s --check-prefix=SHORT
// SHORT: error[E0701]: stablehlo.custom_call: elements, begins of rows and columns as for a matrix in CSR form
func.func @main() -> (tensor<3x2xf32>, tensor<2xcomplex<f64>>) {
  %a = stablehlo.constant dense<[2.0, 3.0, 5.0, 7.0]> : tensor<4xf32>
  %begins = stablehlo.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %columns = stablehlo.constant dense<[0, 2, 1, 0]> : tensor<4xi32>
  %b = stablehlo.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]> : tensor<3x2xf32>
  // CHECK{LITERAL}: dense<[[1.100000e+01, 1.100000e+02], [0.000000e+00, 0.000000e+00], [1.000000e+01, 1.000000e+02]]> : tensor<3x2xf32>
  %y = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%a, %begins, %columns, %b) {mhlo.backend_config = {}} : (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %c = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (4.0, 0.0)]> : tensor<3xcomplex<f64>>
  %from = stablehlo.constant dense<[0, 1, 3]> : tensor<3xi64>
  %at = stablehlo.constant dense<[1, 0, 9]> : tensor<3xi64>
  %v = stablehlo.constant dense<[(0.0, 1.0), (3.0, 1.0)]> : tensor<2xcomplex<f64>>
  // CHECK: dense<[(-1.000000e+00,3.000000e+00), (0.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f64>>
  %z = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%c, %from, %at, %v) {mhlo.backend_config = {}} : (tensor<3xcomplex<f64>>, tensor<3xi64>, tensor<3xi64>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  return %y, %z : tensor<3x2xf32>, tensor<2xcomplex<f64>>
}
