// RUN: ! tess eval %s 2>&1 | FileCheck %s
// Checks that fail say which element differs, and how.

func.func @main() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[1.5, -2.5]> : tensor<2xf32>
  %i = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %z = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  // CHECK: checks_fail.mlir:[[#@LINE+1]]:{{.*}}check failed: element [1] is -2, expected -2.5
  check.expect_eq %a, %c : tensor<2xf32>
  // CHECK: checks_fail.mlir:[[#@LINE+1]]:{{.*}}check failed: element [1, 0] is 3, expected 5
  check.expect_eq_const %i, dense<[[1, 2], [5, 4]]> : tensor<2x2xi32>
  // CHECK: checks_fail.mlir:[[#@LINE+1]]:{{.*}}check failed: element [1] is (3,4), expected (3,5)
  check.expect_eq_const %z, dense<[(1.0, 2.0), (3.0, 5.0)]> : tensor<2xcomplex<f64>>
  // CHECK: checks_fail.mlir:[[#@LINE+1]]:{{.*}}check failed: element [1] is -2, expected -2.5
  check.expect_almost_eq %a, %c : tensor<2xf32>
  // CHECK: checks_fail.mlir:[[#@LINE+1]]:{{.*}}check failed: element [1] is -2, expected -2.5
  check.expect_close %a, %c, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  // The same within so many units in the last place: 2097152 between -2 and -2.5.
  check.expect_close %a, %c, max_ulp_difference = 2097152 : tensor<2xf32>, tensor<2xf32>
  check.expect_almost_eq %a, %a : tensor<2xf32>
  // CHECK-NOT: check failed
  return
}
