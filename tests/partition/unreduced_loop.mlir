// Gradients of a loop over layers, summed up over the batches of a loop around it, are reduced once,
// behind both: transposed, put in the layer's place and added as terms.
// RUN: tess verify %s | FileCheck %s --check-prefix=AGREE
// AGREE: 1 comparison agrees on 4 devices
// RUN: tess partition %s | FileCheck %s

// CHECK-LABEL: @main
// CHECK-NOT: all_reduce
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"
// CHECK-NOT: all_reduce
// CHECK: return %[[ALL]]

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%xs: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %ys: tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>})
    -> (tensor<5x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
  %none = stablehlo.constant dense<0.0> : tensor<5x6x4xf32>
  %sums = sdy.sharding_constraint %none <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %batches = stablehlo.constant dense<3> : tensor<i32>
  %layers = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %acc = %sums) : tensor<i32>, tensor<5x6x4xf32>
  cond {
    %more = stablehlo.compare LT, %i, %batches : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %x1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %x = stablehlo.reshape %x1 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    %y1 = stablehlo.dynamic_slice %ys, %i, %zero, %zero, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %y = stablehlo.reshape %y1 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %fresh = sdy.sharding_constraint %none <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
    %1:2 = stablehlo.while(%l = %zero, %stack = %fresh) : tensor<i32>, tensor<5x6x4xf32>
    cond {
      %more = stablehlo.compare LT, %l, %layers : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %n = stablehlo.convert %l : (tensor<i32>) -> tensor<f32>
      %factor = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
      %act = stablehlo.add %x, %factor : tensor<8x4xf32>
      %g = stablehlo.dot_general %act, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
      %gu = sdy.sharding_constraint %g <@mesh, [{}, {}], unreduced={"x"}> : tensor<4x6xf32>
      %t = stablehlo.transpose %gu, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
      %tu = sdy.sharding_constraint %t <@mesh, [{}, {}], unreduced={"x"}> : tensor<6x4xf32>
      %row = stablehlo.broadcast_in_dim %tu, dims = [1, 2] : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
      %rowu = sdy.sharding_constraint %row <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<1x6x4xf32>
      %put = stablehlo.dynamic_update_slice %stack, %rowu, %l, %zero, %zero : (tensor<5x6x4xf32>, tensor<1x6x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x6x4xf32>
      %putu = sdy.sharding_constraint %put <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
      %next = stablehlo.add %l, %one : tensor<i32>
      stablehlo.return %next, %putu : tensor<i32>, tensor<5x6x4xf32>
    }
    %grads = sdy.sharding_constraint %1#1 <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
    %added = stablehlo.add %acc, %grads : tensor<5x6x4xf32>
    %addedu = sdy.sharding_constraint %added <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %addedu : tensor<i32>, tensor<5x6x4xf32>
  }
  %2 = sdy.sharding_constraint %0#1 <@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<5x6x4xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}, {}]> : tensor<5x6x4xf32>
  return %3 : tensor<5x6x4xf32>
}
