// RUN: tess convert %s -o %t.mlirbc
// RUN: tess shard %t.mlirbc --table | FileCheck %s --check-prefix=TABLE
// RUN: tess explain %t.mlirbc %%arg0 | FileCheck %s --check-prefix=ARG
// RUN: tess explain %t.mlirbc %%v1 | FileCheck %s --check-prefix=ABS
// RUN: tess shard %t.mlirbc --constrain '%%v1=[{}]' --table | FileCheck %s --check-prefix=WHOLE
// RUN: (! tess explain %t.mlirbc %%v99 2>&1) | FileCheck %s --check-prefix=NONE
// RUN: (! tess explain %t.mlirbc %%v1x 2>&1) | FileCheck %s --check-prefix=NONE
// RUN: (! tess explain %t.mlirbc %%arg1 2>&1) | FileCheck %s --check-prefix=NONE
// In bytecode values have no names. They can be named as tables and reports name them.

// TABLE: %v1
// TABLE-SAME: abs
// ARG: %arg0 f32[8] <@mesh, [{"x"}]>
// ABS: %v1 f32[8] <@mesh, [{"x"}]>
// ABS: %v1 dim 0: from %arg0 dim 0 through abs
// WHOLE: <@mesh, [{}]>
// NONE: there is no value '%
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %b = stablehlo.abs %a : tensor<8xf32>
  return %b : tensor<8xf32>
}
