// in_specs of a shard_map lacks the axis that its input is sharded over.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%x: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1024x1024xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}, {}], replicated={"x"}>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<1024x1024xf32>) {
// CHECK: manual_gathers.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L23]:
    %s = stablehlo.slice %a [0:256, 0:1024] : (tensor<1024x1024xf32>) -> tensor<256x1024xf32>
    sdy.return %s : tensor<256x1024xf32>
  } : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
