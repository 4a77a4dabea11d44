// REQUIRES: hlo
// What XLA makes of HLO passes tuples between functions, and into the program (PyTorch's loops, and its
// programs of many parameters): they are propagated through, partitioned and run as the values in them.
// RUN: tess verify %s
// RUN: tess partition %s | FileCheck %s
!state = tuple<tensor<i32>, tensor<8x8xf32>>
!given = tuple<tensor<8x8xf32>, tuple<tensor<8x8xf32>, tensor<i32>>>

// CHECK: func.func private @step(%arg0: tensor<i32>, %arg1: tensor<2x8xf32>, %arg2: tensor<2x8xf32>) -> (tensor<i32>, tensor<2x8xf32>)
// CHECK: func.func @main(%arg0: tensor<2x8xf32> {{.*}}, %arg1: tensor<2x8xf32> {{.*}}, %arg2: tensor<i32> {{.*}}) -> (tensor<2x8xf32> {{.*}}, tensor<i32> {{.*}})
// CHECK-NOT: all_gather
// CHECK: func.call @step
// CHECK-NOT: all_gather
func.func @main(%given: !given {mhlo.sharding = "{{devices=[4,1]<=[4]}, {devices=[4,1]<=[4]}, {replicated}}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<i32>) {
  %x = stablehlo.get_tuple_element %given[0] : (!given) -> tensor<8x8xf32>
  %rest = stablehlo.get_tuple_element %given[1] : (!given) -> tuple<tensor<8x8xf32>, tensor<i32>>
  %y = stablehlo.get_tuple_element %rest[0] : (tuple<tensor<8x8xf32>, tensor<i32>>) -> tensor<8x8xf32>
  %n = stablehlo.get_tuple_element %rest[1] : (tuple<tensor<8x8xf32>, tensor<i32>>) -> tensor<i32>
  %last:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %state = stablehlo.tuple %i, %v : !state
    %next = func.call @step(%state, %y) : (!state, tensor<8x8xf32>) -> !state
    %j = stablehlo.get_tuple_element %next[0] : (!state) -> tensor<i32>
    %w = stablehlo.get_tuple_element %next[1] : (!state) -> tensor<8x8xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<8x8xf32>
  }
  return %last#1, %last#0 : tensor<8x8xf32>, tensor<i32>
}
func.func private @step(%state: !state, %y: tensor<8x8xf32>) -> !state {
  %i = stablehlo.get_tuple_element %state[0] : (!state) -> tensor<i32>
  %v = stablehlo.get_tuple_element %state[1] : (!state) -> tensor<8x8xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %c : tensor<i32>
  %w = stablehlo.multiply %v, %y : tensor<8x8xf32>
  %out = stablehlo.tuple %j, %w : !state
  return %out : !state
}
