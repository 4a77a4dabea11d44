// A callback that returns something, in a branch: an error check.  The program runs unless it comes there,
// or with zeros for what nobody returned.
// RUN: %python %S/../tool/Inputs/npz.py %t.good.npz in0=f4:1,2,3,4 out0=f4:2,4,6,8
// RUN: tess verify %s --inputs %t.good.npz 2>&1 | FileCheck %s --check-prefix=GOOD
// GOOD: warning[W0700]: calling @xla_ffi_python_cpu_callback is not supported; the run ends if it reaches this call
// GOOD: 2 comparisons agree on 2 devices
// RUN: %python %S/../tool/Inputs/npz.py %t.bad.npz in0=f4:-1,2,3,4
// RUN: (tess verify %s --inputs %t.bad.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error[E0701]: stablehlo.custom_call: the program has reached a call of @xla_ffi_python_cpu_callback, a function of Python, which cannot be called here
// BAD: status 1
// RUN: tess verify %s --inputs %t.bad.npz --skip-callbacks 2>&1 | FileCheck %s --check-prefix=SKIP
// RUN: tess run %s --inputs %t.bad.npz --skip-callbacks 2>&1 | FileCheck %s --check-prefix=SKIP
// SKIP: warning: @xla_ffi_python_cpu_callback was not called: zeros are used for what it returns
// SKIP-NOT: warning
// RUN: sed 's/= stablehlo.compare .*/= stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) : (tensor<4xf32>) -> tensor<i1>/' %s > %t.always.mlir
// RUN: ! tess run %t.always.mlir --inputs %t.good.npz 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS: error[E0700]: stablehlo.custom_call: calling @xla_ffi_python_cpu_callback is not supported yet

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.reduce(%x init: %zero) applies stablehlo.minimum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.compare LT, %least, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = "stablehlo.if"(%b) ({
    %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
