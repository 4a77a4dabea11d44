// RUN: tess verify %s 2>&1 | FileCheck %s
// A program goes on without a callback that returns nothing (jax.debug.print).
// CHECK: warning[W0700]: calling @xla_ffi_python_cpu_callback is not supported; the call is skipped
// CHECK: warning[W0700]: calling @xla_buffer_python_cpu_callback is not supported; the call is skipped
// CHECK: 1 comparison agrees on 2 devices

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> ()
  %t = stablehlo.create_token : !stablehlo.token
  %u = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  stablehlo.custom_call @xla_buffer_python_cpu_callback(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
  %v = stablehlo.after_all %u : !stablehlo.token
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
