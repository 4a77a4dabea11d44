// A change of one place may lead to a plan that is known on a mesh of fewer axes. What was tried next was still sharded
// over the axes before, which that mesh does not have (it crashed).
// RUN: tess plan %s --target v7 --devices 8 --limit 204800 --json -o %t.mlir | FileCheck %s
// RUN: tess verify %t.mlir
// CHECK: "fits": true

func.func @main(%arg0: tensor<1000x128xf16>) -> tensor<1000x128xf16> {
  %v1 = stablehlo.iota dim = 0 : tensor<1000x128xf16>
  %v2 = stablehlo.multiply %arg0, %v1 : tensor<1000x128xf16>
  %v3 = stablehlo.subtract %v2, %v2 : tensor<1000x128xf16>
  %v4 = stablehlo.iota dim = 1 : tensor<1000x128xf16>
  %v5 = stablehlo.subtract %v3, %v4 : tensor<1000x128xf16>
  %v6 = stablehlo.subtract %v5, %v5 : tensor<1000x128xf16>
  %v8 = stablehlo.add %v6, %arg0 : tensor<1000x128xf16>
  %v10 = stablehlo.subtract %v8, %arg0 : tensor<1000x128xf16>
  %v11 = stablehlo.add %v10, %v10 : tensor<1000x128xf16>
  %v13 = stablehlo.subtract %v11, %arg0 : tensor<1000x128xf16>
  %v34 = stablehlo.multiply %v13, %arg0 : tensor<1000x128xf16>
  return %v34 : tensor<1000x128xf16>
}
