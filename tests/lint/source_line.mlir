// A finding in a program with debug information is one about the source that it was made from.
// RUN: tess lint %s --sarif | FileCheck %s

sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<1024x1024xf32> loc("jit(f)/add"("src/train step.py":31:7))
  return %0 : tensor<1024x1024xf32>
}

// CHECK: "locations"
// CHECK: "uri": "src/train%20step.py"
// CHECK: "startLine": 31
// CHECK-NEXT: "startColumn": 7
// CHECK: "relatedLocations"
// CHECK: "uri": "{{.*}}source_line.mlir"
// CHECK: "startLine": 7
