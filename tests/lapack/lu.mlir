// RUN: tess eval %s | FileCheck %s
// An LU factorization, which tests/CMakeLists.txt runs with a LAPACK that refuses it, too.
// CHECK: 3.0
func.func @main() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[1.0,2.0],[3.0,4.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
  return %0#0 : tensor<2x2xf32>
}
