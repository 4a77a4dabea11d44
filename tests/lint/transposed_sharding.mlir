// The producer is sharded by rows, the other operand by columns.
// RUN: tess lint %s | FileCheck %s
// RUN: tess lint %s --json | FileCheck %s --check-prefix=JSON
// RUN: cp %s "%t b.mlir" && tess lint "%t b.mlir" --sarif | FileCheck %s --check-prefix=SARIF
// RUN: tess explain %s --collective 0 | FileCheck %s --check-prefix=EXPLAIN

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<1024x1024xf32>
// CHECK: transposed_sharding.mlir:[[#@LINE-1]]:{{[0-9]+}}: warning[L20]: all_to_all of %b
// CHECK-NEXT: constrain both alike; `tess explain FILE --collective 0` says where each comes from
// JSON: "collective": 0
// SARIF: "uri": "{{.*}}%20b.mlir"
// EXPLAIN: collective 0: all_to_all
// EXPLAIN-NEXT: moves %b
  return %0 : tensor<1024x1024xf32>
}
