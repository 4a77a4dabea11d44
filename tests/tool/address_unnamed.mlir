// RUN: tess convert %s -o %t.mlirbc
// RUN: tess shard %t.mlirbc --table | FileCheck %s --check-prefix=TABLE
// RUN: tess explain %t.mlirbc %%arg0 | FileCheck %s --check-prefix=ARG
// RUN: tess explain %t.mlirbc %%1 | FileCheck %s --check-prefix=ABS
// RUN: tess shard %t.mlirbc --constrain '%%1=[{}]' --table | FileCheck %s --check-prefix=WHOLE
// RUN: (! tess explain %t.mlirbc %%v99 2>&1) | FileCheck %s --check-prefix=NONE
// RUN: (! tess explain %t.mlirbc %%arg7 2>&1) | FileCheck %s --check-prefix=NONE
// In bytecode values have no names. They get those with which the program is printed, and keep them
// when calls are inlined.

// TABLE: %arg0
// TABLE: %0
// TABLE-SAME: func.call
// TABLE: %1
// TABLE-SAME: abs
// ARG: %arg0 f32[8] <@mesh, [{"x"}]>
// ABS: %1 f32[8] <@mesh, [{"x"}]>
// WHOLE: %1 {{.*}} <@mesh, [{}]>
// NONE: there is no value '%
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %c = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.abs %c : tensor<8xf32>
  return %b : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = stablehlo.negate %a : tensor<8xf32>
  return %b : tensor<8xf32>
}
