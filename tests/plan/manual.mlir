// The shardings of a manual computation belong to its body: a plan does not change them, although the program
// constrains its result.
//
// RUN: tess plan %s -o %t.mlir
// RUN: tess report %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<32x64xf32>) {
    %3 = stablehlo.tanh %b : tensor<32x64xf32>
    sdy.return %3 : tensor<32x64xf32>
  } : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<64x64xf32>
  %2 = stablehlo.dot %1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
