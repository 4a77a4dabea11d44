// XLA adds up the positions of a dynamic_slice of a dynamic_slice, and of one that it makes of a scatter
// or gather, without clamping them.  So what is printed clamps a position that may be beyond the end, and
// a barrier is between this device's part and a scatter; what runs here has neither.
// RUN: tess partition %s | FileCheck %s
// RUN: tess partition --merge %s | FileCheck %s --check-prefix=MERGED --implicit-check-not=clamp --implicit-check-not=barrier
// MERGED: stablehlo.scatter
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 3 comparisons agree on 2 devices

// Of the device's own offsets none is beyond the end.
// CHECK-LABEL: func.func @main
// CHECK: %[[ID:.*]] = stablehlo.partition_id
// CHECK: %[[MOST:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK: %[[AT:.*]] = stablehlo.clamp %{{.*}}, %arg1, %[[MOST]] : tensor<i32>
// CHECK: %[[USER:.*]] = stablehlo.dynamic_slice %arg0, %[[AT]], %{{.*}}, sizes = [4, 6]
// CHECK-NOT: clamp
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %arg0, %{{.*}}, sizes = [4, 6]
// CHECK: %[[APART:.*]] = stablehlo.optimization_barrier %[[PART]]
// CHECK: "stablehlo.scatter"(%[[APART]]
// CHECK-NOT: {{clamp|optimization_barrier}}
// CHECK: stablehlo.dynamic_slice %[[USER]], %{{.*}}, sizes = [2, 6]

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %at: tensor<i32>, %i: tensor<1xi32>)
    -> (tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %at, %zero, sizes = [4, 6] : (tensor<8x6xi32>, tensor<i32>, tensor<i32>) -> tensor<4x6xi32>
  %u = stablehlo.constant dense<3> : tensor<6xi32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x6xi32>, tensor<1xi32>, tensor<6xi32>) -> tensor<8x6xi32>
  %2 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.multiply %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x6xi32>, tensor<1xi32>, tensor<6xi32>) -> tensor<8x6xi32>
  return %0, %1, %2 : tensor<4x6xi32>, tensor<8x6xi32>, tensor<8x6xi32>
}
