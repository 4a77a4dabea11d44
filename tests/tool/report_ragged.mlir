// JAX's ragged_all_to_all is a custom call, and a collective: it is listed with its bytes, costed as
// an all_to_all of its operand, and partitioned along the axes that are not manual.
// RUN: tess report %s | FileCheck %s
// CHECK: 1 collective, 96 B sent by each device
// CHECK: over e: 1 collective, 96 B
// CHECK: 0 ragged_all_to_all e 2x4 128 B 1
// CHECK-NOT: not counted

// RUN: tess report %s --json | FileCheck %s --check-prefix=JSON
// JSON: "custom_calls": 0
// JSON: "op": "ragged_all_to_all",
// JSON-NEXT: "axes": "e",
// JSON-NEXT: "groups": 2,
// JSON-NEXT: "group_size": 4,
// JSON-NEXT: "bytes": 128,
// JSON-NEXT: "result_bytes": 192,

// RUN: tess explain %s --collective 0 | FileCheck %s --check-prefix=WHY
// WHY: collective 0: ragged_all_to_all over e, 2 groups of 4, 128 B
// WHY-NEXT: the program itself asks for it

// RUN: tess partition %s 2>&1 | FileCheck %s --check-prefix=LOCAL
// LOCAL-NOT: computed whole
// LOCAL: custom_call @ragged_all_to_all({{.*}}channel_id = 1 : i64, replica_groups = dense<{{\[\[}}0, 2, 4, 6], [1, 3, 5, 7]]>
// LOCAL-SAME: (tensor<16x2xf32>, tensor<24x2xf32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<24x2xf32>
// RUN: tess verify %s

sdy.mesh @mesh = <["e"=4, "t"=2]>
func.func @main(%x: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"e"}, {"t"}]>},
                %out: tensor<96x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"e"}, {"t"}]>},
                %from: tensor<32xi32>, %sizes: tensor<32xi32>, %to: tensor<32xi32>, %got: tensor<32xi32>)
    -> (tensor<96x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"e"}, {"t"}]>}) {
  %0 = sdy.manual_computation(%x, %out, %from, %sizes, %to, %got)
      in_shardings=[<@mesh, [{"e", ?}, {?}]>, <@mesh, [{"e", ?}, {?}]>, <@mesh, [{"e", ?}]>, <@mesh, [{"e", ?}]>, <@mesh, [{"e", ?}]>, <@mesh, [{"e", ?}]>]
      out_shardings=[<@mesh, [{"e", ?}, {?}]>] manual_axes={"e"}
      (%a: tensor<16x4xf32>, %b: tensor<24x4xf32>, %c: tensor<8xi32>, %d: tensor<8xi32>, %e: tensor<8xi32>, %f: tensor<8xi32>) {
    %1 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %d, %e, %f) {api_version = 4 : i32, backend_config = {channel_id = 7 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}} : (tensor<16x4xf32>, tensor<24x4xf32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<24x4xf32>
    sdy.return %1 : tensor<24x4xf32>
  } : (tensor<64x4xf32>, tensor<96x4xf32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) -> tensor<96x4xf32>
  return %0 : tensor<96x4xf32>
}
