// RUN: tess eval %s
// Small matrices leave the threads of LAPACK alone.  tests/CMakeLists.txt runs this with a LAPACK whose
// factors are the number of threads that it may use: 1 for small ones and for each of a batch, all of them
// for a large one alone.
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %y = stablehlo.constant dense<1.0> : tensor<600x600xf32>
  %z = stablehlo.constant dense<1.0> : tensor<2x600x600xf32>
  %a:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) {mhlo.backend_config = {}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
  %b:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%y) {mhlo.backend_config = {}} : (tensor<600x600xf32>) -> (tensor<600x600xf32>, tensor<600xi32>, tensor<i32>)
  %c:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%z) {mhlo.backend_config = {}} : (tensor<2x600x600xf32>) -> (tensor<2x600x600xf32>, tensor<2x600xi32>, tensor<2xi32>)
  %0 = stablehlo.slice %a#0 [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
  %1 = stablehlo.slice %b#0 [0:1, 0:1] : (tensor<600x600xf32>) -> tensor<1x1xf32>
  %2 = stablehlo.slice %c#0 [0:1, 0:1, 0:1] : (tensor<2x600x600xf32>) -> tensor<1x1x1xf32>
  %3 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  %4 = stablehlo.reshape %1 : (tensor<1x1xf32>) -> tensor<f32>
  %5 = stablehlo.reshape %2 : (tensor<1x1x1xf32>) -> tensor<f32>
  return %3, %4, %5 : tensor<f32>, tensor<f32>, tensor<f32>
}
