// JAX and PyTorch name whole axes of a mesh only, so a plan that keeps an annotation over a part of one is
// not written for them.
// RUN: (! tess plan %s --target h100x8 --devices 8 --keep inputs --emit jax 2>&1) | FileCheck %s --check-prefix=JAX
// RUN: (! tess plan %s --target h100x8 --devices 8 --keep inputs --emit dtensor 2>&1) | FileCheck %s --check-prefix=TORCH
// RUN: tess plan %s --target h100x8 --devices 8 --keep inputs --emit specs 2>/dev/null | FileCheck %s --check-prefix=SPECS
// RUN: tess plan %s --target h100x8 --devices 8 --keep inputs --emit json 2>/dev/null | FileCheck %s --check-prefix=JSON
// JAX: the plan cannot be written as 'jax': argument 0 keeps P("x":(1)2), over a part of an axis, which only specs and json can say
// TORCH: the plan cannot be written as 'dtensor': argument 0 keeps P("x":(1)2)
// SPECS: arg:0 P("x":(1)2)
// JSON: "sharding": "<@mesh, [{\"x\":(1)2}, {}]>",
// JSON-NEXT: "spec": null
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
