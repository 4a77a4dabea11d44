// RUN: tess opt -mlir-print-debuginfo %s | FileCheck %s --check-prefixes=ALIASES
// RUN: tess opt -mlir-print-debuginfo -mlir-print-local-scope %s | FileCheck %s --check-prefixes=LOCAL
// RUN: tess opt %s | FileCheck %s --check-prefixes=NONE
// RUN: tess opt -mlir-print-debuginfo %s | tess opt -mlir-print-debuginfo - | FileCheck %s --check-prefixes=ALIASES
// Locations, as aliases, in place, and not at all.

// ALIASES: #loc[[A:[0-9]*]] = loc("a.py":1:2)
// ALIASES: func.func @main(%arg0: tensor<f32> loc("x"(#loc[[A]]))
// ALIASES: stablehlo.tanh %arg0 : tensor<f32> loc(#loc[[T:[0-9]+]])
// ALIASES: stablehlo.exponential %0 : tensor<f32> loc(#loc[[E:[0-9]+]])
// ALIASES: #loc{{[0-9]+}} = loc("b.py":3:4)
// ALIASES: #loc[[F:[0-9]+]] = loc("f"(#loc{{[0-9]+}}))
// ALIASES: #loc[[E]] = loc(callsite(#loc[[F]] at #loc[[A]]))
// LOCAL-NOT: #loc
// LOCAL: %arg0: tensor<f32> loc("x"("a.py":1:2))
// LOCAL: stablehlo.tanh %arg0 : tensor<f32> loc(fused<"m">["a.py":1:2, "b.py":3:4])
// LOCAL: loc(callsite("f"("b.py":3:4) at "a.py":1:2))
// NONE-NOT: loc
// NONE: return %1 : tensor<f32>
#a = loc("a.py":1:2)
module {
  func.func @main(%arg0: tensor<f32> loc("x"(#a))) -> tensor<f32> {
    %0 = stablehlo.tanh %arg0 : tensor<f32> loc(fused<"m">[#a, "b.py":3:4])
    %1 = stablehlo.exponential %0 : tensor<f32> loc(callsite("f"("b.py":3:4) at #a))
    return %1 : tensor<f32> loc(#a)
  } loc(#a)
} loc(#a)
