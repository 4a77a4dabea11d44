// What other annotations would cost, each evaluated: `tess report` of the program with it says the same.
//
// RUN: tess explain %s --plan --target h100x8 | FileCheck %s
// CHECK: price.mlir on h100x8: step {{.*}}, peak {{.*}}; another sharding of one annotation
// CHECK: arg:0 f32[512,2048]  P(None, "model")
// CHECK-NEXT: {{^}}    P({{.*}} %, {{[+-].*}}B
// CHECK-EMPTY:
// CHECK-NEXT: arg:2 f32[256,512]  P("data")
// CHECK-NEXT: {{^}}    P(
// CHECK-EMPTY:
// CHECK-NEXT: f32[256,2048]  P("data", "model")
//
// Of one value all others:
//
// RUN: tess explain %s %%x --plan --target h100x8 --json > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "value": "arg:2"
// JSON-NEXT: "type": "f32[256,512]"
// JSON-NEXT: "alike": 1
// JSON-NEXT: "spec": "P(\"data\")"
// JSON: "spec": "P()"
// RUN: tess report %s --target h100x8 --arg '2=[{}, {}]' --json > %t.report.json
// RUN: %python %S/same_price.py %t.json 'P()' %t.report.json
//
// A constraint stays one, in functions and loops too: as it is, the program costs what its report says.
// RUN: tess explain %S/mistakes/wrong_axis.mlir --plan --target h100x8 --json > %t.wrong.json
// RUN: tess report %S/mistakes/wrong_axis.mlir --target h100x8 --json > %t.report.json
// RUN: %python %S/same_price.py %t.wrong.json - %t.report.json
// RUN: tess explain %S/mistakes/scan_body.mlir --plan --target h100x8 --json > %t.wrong.json
// RUN: tess report %S/mistakes/scan_body.mlir --target h100x8 --json > %t.report.json
// RUN: %python %S/same_price.py %t.wrong.json - %t.report.json
// RUN: tess explain %S/mistakes/wrong_axis.mlir --plan --target h100x8 | FileCheck %s --check-prefix=WRONG
// WRONG: {{^}}  params['k'] bf16[4096,4096]  P(None, "model")
// WRONG: {{^}}  mistakes.py:44 < mistakes.py:{{[0-9]+}} bf16[4,2048,32,128]  P("data", None, None, "model")
// WRONG-NEXT: {{^}}    P("data", None, "model")  -{{[1-9]}}
//
// RUN: (! tess explain %s %%y --plan 2>&1) | FileCheck %s --check-prefix=OTHER
// OTHER: '%y' has no annotation that a plan could change
// RUN: (! tess explain %s --plan --dim 0 2>&1) | FileCheck %s --check-prefix=WHOLE
// WHOLE: --plan excludes --collective, --dim and --axis

sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%w1: tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %w2: tensor<2048x512xf32>,
                %x: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<256x512xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x2048xf32>) -> tensor<256x2048xf32>
  %c = sdy.sharding_constraint %h <@mesh, [{"data"}, {"model"}]> : tensor<256x2048xf32>
  %y = stablehlo.dot_general %c, %w2, contracting_dims = [1] x [0] : (tensor<256x2048xf32>, tensor<2048x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}
