// Tokens among @main's arguments and results, as jax.debug.print(ordered=True) has them, are nobody's inputs.
// RUN: %python %S/../tool/Inputs/npz.py %t.npz in0=f4:0,1,2,3 out0=f4:0,2,4,6
// RUN: tess verify %s --inputs %t.npz 2>&1 | FileCheck %s
// RUN: tess eval %s --inputs %t.npz 2>&1 | FileCheck %s --check-prefix=EVAL
// RUN: tess partition %s | sed 's/^module.*/module {/' > %t.local
// RUN: tess verify %s --partitioned %t.local --inputs %t.npz 2>&1 | FileCheck %s
// CHECK: warning[W0700]: calling @xla_ffi_python_cpu_callback is not supported; the call is skipped
// CHECK: 2 comparisons agree on 2 devices
// EVAL: dense<[0.000000e+00, 2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<4xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %unused: !stablehlo.token) -> (!stablehlo.token {jax.token = true}, tensor<4xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  %1 = stablehlo.add %x, %x : tensor<4xf32>
  return %0, %1 : !stablehlo.token, tensor<4xf32>
}
