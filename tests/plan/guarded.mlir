// Programs of one device that are printed for XLA have operations that go around what it computes otherwise
// (a reduction's initial value, where a device has one element).  No plan is counted with them, and no report.
//
// RUN: echo 'quick like=h100x8 launch=1e-9 floor=2e-9' > %t.txt
// RUN: tess plan %s --target %t.txt --keep annotations --json > %t.json
// RUN: tess report %s --target %t.txt --json > %t.report.json
// RUN: %python %S/same_cost.py %t.json %t.report.json annotated_step_seconds

sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %sum : tensor<16xf32>
}
