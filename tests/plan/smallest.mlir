// Where nothing fits, the plan is the smallest of those on its own frontier.
// RUN: (! tess plan %s --target h100x8 --devices 8 --limit 1kB --json) \
// RUN: | %python -c "import json, sys; p = json.load(sys.stdin); print(p['fits'], len(p['frontier']) > 1, p['peak_bytes'] == min(q['peak_bytes'] for q in p['frontier']))" \
// RUN: | FileCheck %s
// CHECK: False True True
func.func @main(%arg0: tensor<128x7xbf16>, %arg1: tensor<8x7xf32>, %arg2: tensor<128x7xf32>) -> (tensor<128x7xbf16>, tensor<3xf32>) {
  %v1 = stablehlo.constant dense<0> : tensor<128x1xi32>
  %v3 = stablehlo.convert %arg1 : (tensor<8x7xf32>) -> tensor<8x7xbf16>
  %v2 = "stablehlo.scatter"(%v3, %v1, %arg0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%av2: tensor<bf16>, %bv2: tensor<bf16>):
    %sv2 = stablehlo.add %av2, %bv2 : tensor<bf16>
    stablehlo.return %sv2 : tensor<bf16>
  }) : (tensor<8x7xbf16>, tensor<128x1xi32>, tensor<128x7xbf16>) -> tensor<8x7xbf16>
  %v4 = stablehlo.constant dense<0.0> : tensor<bf16>
  %v5 = stablehlo.reduce(%v2 init: %v4) applies stablehlo.add across dimensions = [0] : (tensor<8x7xbf16>, tensor<bf16>) -> tensor<7xbf16>
  %v6 = stablehlo.broadcast_in_dim %v5, dims = [1] : (tensor<7xbf16>) -> tensor<128x7xbf16>
  %v7 = stablehlo.add %arg0, %v6 : tensor<128x7xbf16>
  %v8 = stablehlo.convert %arg2 : (tensor<128x7xf32>) -> tensor<128x7xbf16>
  %v9 = stablehlo.compare LT, %v7, %v8 : (tensor<128x7xbf16>, tensor<128x7xbf16>) -> tensor<128x7xi1>
  %v10 = stablehlo.select %v9, %v7, %v8 : tensor<128x7xi1>, tensor<128x7xbf16>
  %v11 = stablehlo.constant dense<1.0> : tensor<3xf32>
  return %v10, %v11 : tensor<128x7xbf16>, tensor<3xf32>
}
