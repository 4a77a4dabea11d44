// A program that is already partitioned has nothing to plan: its collectives name the devices of another mesh.
// RUN: sed '/^[}]$/q' %s > %t.mlir
// RUN: (! tess plan %t.mlir --devices 8 2>&1) | FileCheck %s
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: error[E0906]: the program is already partitioned: stablehlo.collective_permute outside of a manual computation is among devices; a plan needs the program as it was before
// Within a manual computation they are part of the program.
// RUN: sed '1,/^[}]$/d' %s | tess plan - --devices 2

func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
