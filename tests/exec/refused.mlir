// RUN: (! tess eval %s 2>&1) | FileCheck %s
// RUN: tess run %s | FileCheck %s --check-prefix=DONE
// What is computed only when it has been partitioned: the message says how.

sdy.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<4xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: refused.mlir:[[#@LINE+1]]:{{.*}}sdy.manual_computation: its body is the program of one device of many: run the partitioned program (tess run, tess verify)
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    %1 = stablehlo.add %b, %b : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  // DONE: out0 f32[4]
  return %0 : tensor<4xf32>
}
