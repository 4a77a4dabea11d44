// Names may have quotes, backslashes and line breaks. What is emitted is Python all the same, with the same strings.
//
// RUN: tess plan %s --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit jax > %t.py
// RUN: %python %S/keys.py %t.py | FileCheck %s
// CHECK: 'p[\'quo"te\']'
// CHECK: 'p["back\\slash\nline"]'
// CHECK: ('m\xe9l"p/dot_general', 'f32[4096,4096]', 1)
//
// RUN: tess plan %s --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit dtensor > %t.dtensor.py
// RUN: %python %S/keys.py %t.dtensor.py | FileCheck %s --check-prefix=DTENSOR
// DTENSOR: 'p[\'quo"te\']'
// DTENSOR: 'p["back\\slash\nline"]'
// RUN: tess plan %s --keep inputs --emit specs | FileCheck %s --check-prefix=AXIS
// AXIS: P("quo\"te", "line\n")

sdy.mesh @mesh = <["quo\22te"=4, "line\0A"=2]>
func.func @main(%w: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"quo\22te"}, {}]>} loc("p['quo\22te']"), %x: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"line\0A"}]>} loc("p[\22back\\slash\0Aline\22]")) -> tensor<4096x4096xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32> loc(#dot)
  %1 = stablehlo.tanh %0 : tensor<4096x4096xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32> loc(#dot)
  return %2 : tensor<4096x4096xf32>
}
#line = loc("f"("line\0Abreak.py":7:3))
#dot = loc("jit(f)/m\C3\A9l\22p/dot_general"(#line))
