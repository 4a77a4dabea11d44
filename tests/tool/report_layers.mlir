// Layers that the program writes out one by one are one line: their collectives and findings differ in
// the number of a layer only. Numbers that are no part by themselves are names like others: w1, w2.
// RUN: tess report %s | FileCheck %s
// CHECK: all_reduce x {{.*}} 2 {{.*}} model.py:9 (step/layers_*/dot)
// CHECK-NOT: layers_
// CHECK: all_reduce x {{.*}} 1 {{.*}} model.py:10 (step/w{{[12]}}/dot)
// CHECK: all_reduce x {{.*}} 1 {{.*}} model.py:10 (step/w{{[12]}}/dot)
// RUN: tess lint %s --large 1 | FileCheck %s --check-prefix=LINT
// LINT: model.py:9 (step/layers_*/dot): warning[L2]: {{.*}} in 2 places
// LINT-NOT: layers_{{[0-9]}}
// LINT: 7 findings
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>, %x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %y: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("step/layers_0/dot"("model.py":9:3))
  %m = stablehlo.negate %x : tensor<64x64xf32>
  %1 = stablehlo.dot_general %m, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("step/layers_12/dot"("model.py":9:3))
  %n = stablehlo.abs %x : tensor<64x64xf32>
  %2 = stablehlo.dot_general %n, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("step/w1/dot"("model.py":10:3))
  %o = stablehlo.sine %x : tensor<64x64xf32>
  %3 = stablehlo.dot_general %o, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("step/w2/dot"("model.py":10:3))
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
