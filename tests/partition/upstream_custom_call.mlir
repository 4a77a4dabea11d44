// A custom call that no rule describes gets its operands whole, everybody computes it, and a
// remark says what that costs: of 4x8 floats a device has half, and the other half is to come.
// RUN: tess partition %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t.err
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0) {{.*}} -> tensor<4x8xf32>
// CHECK: stablehlo.custom_call @my_kernel(%[[WHOLE]]) : (tensor<4x8xf32>) -> tensor<4x8xf32>
// REMARK: [[#@LINE+4]]:8: remark[W0602]: 'stablehlo.custom_call' is computed whole on every device: 64 bytes of its operands are gathered to each
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @my_kernel(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
