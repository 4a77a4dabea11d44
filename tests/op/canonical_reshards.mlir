// RUN: tess opt %s -canonicalize=enable-patterns=sdy-reshard -canonicalize=enable-patterns=sdy-collective | FileCheck %s
// A reshard that nobody uses stands in the way of one that had its turn before.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
  // CHECK-NEXT: return %[[R]]
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %0 <@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// What a manual computation gives is sharded as its list says.
// CHECK-LABEL: func.func @manual
func.func @manual(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: %[[M:.*]] = sdy.manual_computation
  // CHECK-NOT: collective_permute
  // CHECK: return %[[M]]
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {"x"}]>] manual_axes={"y"} (%b: tensor<4x8xf32>) {
    %2 = stablehlo.add %b, %b : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
