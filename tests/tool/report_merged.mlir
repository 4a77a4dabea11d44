// Each collective has its own reason; what runs has fewer, where they go together.
// RUN: tess report %s | FileCheck %s
// RUN: tess report %s --json | FileCheck %s --check-prefix=JSON
// RUN: tess partition --merge %s | FileCheck %s --check-prefix=RUNS
// CHECK: 2 collectives, {{.*}} sent by each device
// CHECK-NEXT: 1 collective when it runs, since some are merged
// JSON: "communication": {
// JSON: "collectives": 2,
// JSON-NEXT: "merged_collectives": 1
// RUNS: "stablehlo.all_reduce"
// RUNS-NOT: "stablehlo.all_reduce"

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot %a, %b : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %1 = stablehlo.dot %a, %c : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  return %0, %1 : tensor<16x32xf32>, tensor<16x64xf32>
}
