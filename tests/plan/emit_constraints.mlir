// Constraints inside of the program are code, too: by JAX's name of the operation, the type, and which of
// those that are alike.  What JAX makes of a part of another operation (%2, whose place stands twice in its
// traceback) is not counted.
//
// RUN: tess plan %s --target h100x8 --devices 8 --mesh x=2,y=4 --tactic 'fsdp over x; megatron over y' --emit jax \
// RUN:   | FileCheck %s
// CHECK: in_specs = [
// CHECK: constraints = {
// CHECK-NEXT: ("mlp/dot_general", "f32[4096,4096]", 1): P("x", "y"),  # model.py:7
// CHECK-NEXT: }
// CHECK: def constrained(function):

func.func @main(%w: tensor<4096x4096xf32>, %x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32> loc(#dot)
  %1 = stablehlo.tanh %0 : tensor<4096x4096xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32> loc(#part)
  %3 = stablehlo.tanh %2 : tensor<4096x4096xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32> loc(#dot)
  return %4 : tensor<4096x4096xf32>
}
#line = loc("f"("model.py":7:3))
#outer = loc("g"("model.py":9:3))
#traceback = loc(callsite(#line at #outer))
#twice = loc(callsite(#line at #traceback))
#dot = loc("jit(f)/mlp/dot_general"(#traceback))
#part = loc("jit(f)/mlp/dot_general"(#twice))
