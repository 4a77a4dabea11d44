// What a location holds that has no code of its own stands in bytecode as text, and stays.
// RUN: tess convert %s -o %t.mlirbc && tess convert --mlir-print-debuginfo %t.mlirbc | FileCheck %s
// RUN: tess convert %t.mlirbc -o %t.again.mlirbc && tess convert --mlir-print-debuginfo %t.again.mlirbc | FileCheck %s

// CHECK: stablehlo.add {{.*}} loc(#[[ADD:.*]])
// CHECK: #[[LINE:.*]] = loc("x.py":3:4)
// CHECK: #[[ADD]] = loc(fused<#other.note<1, "two">>[#[[LINE]]])
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32> loc(fused<#other.note<1, "two">>["x.py":3:4])
  return %0 : tensor<4xf32>
}
