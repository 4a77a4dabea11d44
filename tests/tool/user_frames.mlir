// The line of the user's own file, not of the library that it calls; the frames behind it on demand.
// RUN: tess report %s | FileCheck %s --check-prefix=REPORT
// REPORT: all_reduce {{.*}} model.py:31 (jit(step)/dot_general)
// RUN: tess explain %s '%0' | FileCheck %s --check-prefix=WHY
// WHY: calls, the innermost first: linear.py:287 < model.py:31 < train.py:12
// RUN: tess explain %s --collective 0 --json | FileCheck %s --check-prefix=JSON
// JSON: "source": "model.py:31 (jit(step)/dot_general)"
// JSON-NEXT: "stack": "linear.py:287 < model.py:31 < train.py:12"
// A line of the source has its values, in whatever frame.
// RUN: tess explain %s model.py:31 | FileCheck %s --check-prefix=LINE
// RUN: tess explain %s src/train.py:12 | FileCheck %s --check-prefix=LINE
// LINE: %0 f32[8,8]
// Where all is a library's, the innermost.
// RUN: sed 's|/home/me/src|/usr/lib/python3.12/dist-packages/layers|' %s > %t.mlir
// RUN: tess report %t.mlir | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: all_reduce {{.*}} linear.py:287 (jit(step)/dot_general)

#lib = loc("/venv/lib/python3.12/site-packages/flax/nnx/nn/linear.py":287:8)
#model = loc("/home/me/src/model.py":31:12)
#train = loc("/home/me/src/train.py":12:4)
#tess = loc("/venv/lib/python3.12/site-packages/tessera/load.py":70:4)
#outer = loc(callsite(#train at #tess))
#middle = loc(callsite(#model at #outer))
#stack = loc(callsite(#lib at #middle))
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32> loc("jit(step)/dot_general"(#stack))
  return %0 : tensor<8x8xf32>
}
