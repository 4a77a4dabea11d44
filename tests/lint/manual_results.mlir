// The result of a manual or a named computation is sharded as its out_shardings say.
// RUN: tess lint %s --large 1024 | FileCheck %s
// RUN: tess shard %s --table | FileCheck %s --check-prefix=TABLE
// RUN: tess report %s --json | FileCheck %s --check-prefix=REPORT
// RUN: tess report %s | FileCheck %s --check-prefix=TEXT
// RUN: tess diff %s --constrain '%%2=[{"data"}, {}]' --json | FileCheck %s --check-prefix=DIFF

// CHECK-NOT: %0
// CHECK-NOT: %1
// CHECK: nothing found
// TABLE: %0 {{.*}} <@mesh, [{"data"}, {}]> {{.*}}manual_computation
// TABLE: %1 {{.*}} <@mesh, [{}, {"model"}]>
// REPORT: "replicated": [
// REPORT: "value": "%0"
// REPORT-NEXT: "type": "f32[64,64]"
// REPORT-NEXT: "sharding": "<@mesh, [{\"data\"}, {}]>"
// TEXT: largest replicated tensors
// TEXT-NOT: no sharding
// DIFF-NOT: "value": "%0"
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data", "model"} (%a: tensor<16x64xf32>) {
    %m = stablehlo.multiply %a, %a : tensor<16x64xf32>
    sdy.return %m : tensor<16x64xf32>
  } : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = sdy.named_computation<"f">(%arg1) in_shardings=[<@mesh, [{}, {"model"}]>] out_shardings=[<@mesh, [{}, {"model"}]>] (%b: tensor<64x64xf32>) {
    %n = stablehlo.negate %b : tensor<64x64xf32>
    sdy.return %n : tensor<64x64xf32>
  } : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.abs %0 : tensor<64x64xf32>
  return %2, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}
