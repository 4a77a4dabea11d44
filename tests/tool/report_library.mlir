// What calls of NVIDIA's libraries compute is told by their shapes and configuration: programs of JAX with
// cuDNN's attention have some, and what XLA's GPU compiler makes of products and convolutions.

// RUN: tess report %s --target h100x8 --json | FileCheck %s
// CHECK: "custom_calls": 0
// Attention forwards: 4 x 8 x 1024 queries, each of 512.5 keys in the middle, 64 + 64 products of two. Backwards
// 3 x 64 + 2 x 64.
// CHECK-DAG: "flops": 4299161600,
// CHECK-DAG: "flops": 10747904000,
// A product of 128 x 512 by 512 x 256: 2 x 128 x 256 x 512. Its work space of 4 MB is no traffic: 0.92 MB.
// CHECK-DAG: "flops": 33554432,
// CHECK-DAG: "bytes": 917504,
// A convolution: 8 x 32 x 32 x 64 results, each the sum of 3 x 3 x 32 products of two; its gradients by operand and kernel
// have as many.
// CHECK-DAG: "flops": 301989888,
// CHECK-DAG: "flops": 301989888,
// CHECK-DAG: "flops": 301989888,

// Products of f32 on TF32 units, 8.6 GFLOP at 0.6 of 494.5 TFLOP/s, unless the program wants them exact: 17.2 GFLOP at
// 0.6 of 67; and 2.5 us to start.
// RUN: tess report %s --target h100x8 | FileCheck %s --check-prefix=TEXT
// TEXT: custom_call {{.*}} 430 us   17.2 GFLOP
// TEXT: custom_call {{.*}} 31.5 us  8.59 GFLOP
func.func @main(%q: tensor<4x1024x8x64xbf16>, %k: tensor<4x1024x8x64xbf16>, %v: tensor<4x1024x8x64xbf16>, %d: tensor<4x1024x8x64xbf16>,
    %a: tensor<128x512xf32>, %b: tensor<512x256xf32>, %x: tensor<8x32x32x32xf32>, %w: tensor<64x3x3x32xf32>, %big: tensor<2048x1024xf32>, %other: tensor<1024x2048xf32>)
    -> (tensor<4x8x1024x64xbf16>, tensor<4x8x1024x64xbf16>, tensor<128x256xf32>, tensor<8x32x32x64xf32>, tensor<8x32x32x32xf32>, tensor<64x3x3x32xf32>, tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
  %0:3 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %k, %v) {backend_config = "{\22operation_queue_id\22: \220\22, \22cudnn_fmha_backend_config\22: {\22algorithm\22: {\22algo_id\22: \220\22, \22tuning_knobs\22: {\2217\22: \221\22}}, \22fmha_scale\22: 0.125, \22intermediate_tensor_shape\22: {\22element_type\22: \22BF16\22, \22dimensions\22: [\224\22, \228\22, \221024\22, \221024\22], \22tuple_shapes\22: []}, \22is_flash_attention\22: true, \22mask_type\22: \22CAUSAL\22, \22sliding_window_length\22: 0}}"} : (tensor<4x1024x8x64xbf16>, tensor<4x1024x8x64xbf16>, tensor<4x1024x8x64xbf16>) -> (tensor<4x8x1024x64xbf16>, tensor<4x8x1024xf32>, tensor<0xui8>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1, 3] : (tensor<4x8x1024x64xbf16>) -> tensor<4x1024x8x64xbf16>
  %2:4 = stablehlo.custom_call @__cudnn$fmhaSoftmaxBackward(%q, %k, %v, %0#1, %d, %1) {backend_config = "{\22cudnn_fmha_backend_config\22: {\22intermediate_tensor_shape\22: {\22element_type\22: \22BF16\22, \22dimensions\22: [\224\22, \228\22, \221024\22, \221024\22]}, \22mask_type\22: \22CAUSAL\22, \22sliding_window_length\22: 0}}"} : (tensor<4x1024x8x64xbf16>, tensor<4x1024x8x64xbf16>, tensor<4x1024x8x64xbf16>, tensor<4x8x1024xf32>, tensor<4x1024x8x64xbf16>, tensor<4x1024x8x64xbf16>) -> (tensor<4x8x1024x64xbf16>, tensor<4x8x1024x64xbf16>, tensor<4x8x1024x64xbf16>, tensor<0xui8>)
  %3:2 = stablehlo.custom_call @__cublas$gemm(%a, %b) {backend_config = "{\22gemm_backend_config\22:{\22alpha_real\22:1,\22dot_dimension_numbers\22:{\22lhs_contracting_dimensions\22:[\221\22],\22rhs_contracting_dimensions\22:[\220\22],\22lhs_batch_dimensions\22:[],\22rhs_batch_dimensions\22:[]},\22precision_config\22:{\22operand_precision\22:[\22DEFAULT\22,\22DEFAULT\22]}}}"} : (tensor<128x512xf32>, tensor<512x256xf32>) -> (tensor<128x256xf32>, tensor<4194304xi8>)
  %4:2 = stablehlo.custom_call @__cudnn$convForward(%x, %w) {backend_config = "{\22cudnn_conv_backend_config\22:{\22conv_result_scale\22:1}}"} : (tensor<8x32x32x32xf32>, tensor<64x3x3x32xf32>) -> (tensor<8x32x32x64xf32>, tensor<0xui8>)
  %5:2 = stablehlo.custom_call @__cudnn$convBackwardInput(%4#0, %w) {backend_config = "{\22cudnn_conv_backend_config\22:{}}"} : (tensor<8x32x32x64xf32>, tensor<64x3x3x32xf32>) -> (tensor<8x32x32x32xf32>, tensor<0xui8>)
  %6:2 = stablehlo.custom_call @__cudnn$convBackwardFilter(%x, %4#0) {backend_config = "{\22cudnn_conv_backend_config\22:{}}"} : (tensor<8x32x32x32xf32>, tensor<8x32x32x64xf32>) -> (tensor<64x3x3x32xf32>, tensor<0xui8>)
  %7:2 = stablehlo.custom_call @__cublas$lt$matmul(%big, %other) {backend_config = "{\22gemm_backend_config\22:{\22dot_dimension_numbers\22:{\22lhs_contracting_dimensions\22:[\221\22],\22rhs_contracting_dimensions\22:[\220\22]},\22precision_config\22:{\22operand_precision\22:[\22DEFAULT\22,\22DEFAULT\22]}}}"} : (tensor<2048x1024xf32>, tensor<1024x2048xf32>) -> (tensor<2048x2048xf32>, tensor<4194304xi8>)
  %8:2 = stablehlo.custom_call @__cublas$lt$matmul(%7#0, %7#0) {backend_config = "{\22gemm_backend_config\22:{\22dot_dimension_numbers\22:{\22lhs_contracting_dimensions\22:[\221\22],\22rhs_contracting_dimensions\22:[\220\22]},\22precision_config\22:{\22operand_precision\22:[\22HIGHEST\22,\22HIGHEST\22]}}}"} : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> (tensor<2048x2048xf32>, tensor<4194304xi8>)
  return %0#0, %2#0, %3#0, %4#0, %5#0, %6#0, %7#0, %8#0 : tensor<4x8x1024x64xbf16>, tensor<4x8x1024x64xbf16>, tensor<128x256xf32>, tensor<8x32x32x64xf32>, tensor<8x32x32x32xf32>, tensor<64x3x3x32xf32>, tensor<2048x2048xf32>, tensor<2048x2048xf32>
}
