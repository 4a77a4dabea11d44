// Parameter and momentum are whole along the axis that the gradient is summed over.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%w: tensor<1024x1024xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %m: tensor<1024x1024xf32> {tf.aliasing_output = 1 : i32, sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %x: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %dy: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %g = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<4096x1024xf32>, tensor<4096x1024xf32>) -> tensor<1024x1024xf32>
// CHECK: optimizer_state.mlir:[[#@LINE-1]]:{{[0-9]+}}: note[L31]:
  %1 = stablehlo.add %m, %g : tensor<1024x1024xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<1024x1024xf32>
  return %2, %1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
