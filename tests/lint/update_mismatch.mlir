// A donated parameter comes back sharded otherwise.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%w: tensor<1024x4096xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK: update_mismatch.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L9]:
    -> (tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.negate %w : tensor<1024x4096xf32>
  return %0 : tensor<1024x4096xf32>
}
