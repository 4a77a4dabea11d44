// Locations stay what they are, in bytecode of a text and in bytecode of bytecode.
// RUN: tess convert %s -o %t.mlirbc && tess opt --mlir-print-debuginfo %t.mlirbc | FileCheck %s
// RUN: tess convert %t.mlirbc -o %t.again.mlirbc && tess opt --mlir-print-debuginfo %t.again.mlirbc | FileCheck %s
// RUN: tess convert %t.again.mlirbc -o %t.bc && tess opt --mlir-print-debuginfo %t.bc | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<4xf32> loc("a"), %arg1: tensor<4xf32> loc(unknown))
// CHECK: stablehlo.add {{.*}} loc(#[[ADD:.*]])
// CHECK: stablehlo.multiply {{.*}} loc(#[[MUL:.*]])
// CHECK: stablehlo.negate {{.*}} loc(#[[NEG:.*]])
// CHECK: stablehlo.abs {{.*}} loc(#[[ABS:.*]])
// CHECK: stablehlo.tanh {{.*}} loc(#[[TANH:.*]])
// CHECK: return {{.*}} loc(#[[RETURN:.*]])
// CHECK: #[[ADD]] = loc("x.py":3:4)
// CHECK: #[[RANGE:.*]] = loc("x.py":3:5 to :9)
// CHECK: #[[X:.*]] = loc("x.py":7:1)
// CHECK: #[[Y:.*]] = loc("y.py":1:1)
// CHECK: #[[Z:.*]] = loc("z.py":2:2)
// CHECK: #[[B:.*]] = loc("b")
// CHECK: #[[RETURN]] = loc("x.py":30000:4 to 40000:2)
// CHECK: #[[MUL]] = loc("jit(f)/mul"(#[[RANGE]]))
// CHECK: #[[FX:.*]] = loc("f"(#[[X]]))
// CHECK: #[[GY:.*]] = loc("g"(#[[Y]]))
// CHECK: #[[ABS]] = loc(fused[#[[ADD]], #[[B]]])
// CHECK: #[[TANH]] = loc(fused<"meta">[#[[ADD]], #[[B]]])
// CHECK: #[[CALLER:.*]] = loc(callsite(#[[GY]] at #[[Z]]))
// CHECK: #[[NEG]] = loc(callsite(#[[FX]] at #[[CALLER]]))
func.func @main(%a: tensor<4xf32> loc("a"), %b: tensor<4xf32> loc(unknown)) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32> loc("x.py":3:4)
  %1 = stablehlo.multiply %0, %b : tensor<4xf32> loc("jit(f)/mul"("x.py":3:5 to :9))
  %2 = stablehlo.negate %1 : tensor<4xf32> loc(callsite("f"("x.py":7:1) at callsite("g"("y.py":1:1) at "z.py":2:2)))
  %3 = stablehlo.abs %2 : tensor<4xf32> loc(fused["x.py":3:4, "b"])
  %4 = stablehlo.tanh %3 : tensor<4xf32> loc(fused<"meta">["x.py":3:4, "b"])
  return %4 : tensor<4xf32> loc("x.py":30000:4 to 40000:2)
} loc("f")
