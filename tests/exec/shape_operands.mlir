// REQUIRES: hlo
// RUN: %python -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<8f', 3, 1, 4, 1, 5, 9, 2, 6))" > %t.raw
// RUN: tess eval %s --inputs '%t.raw:f32[2,4]' | FileCheck %s
// RUN: (tess eval %s --inputs '%t.raw:f32[8,1]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=WRONG
// Custom calls whose last operands say the shapes of their results, or of which one is a shape.

func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %enough = stablehlo.compare GE, %columns, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%enough, %columns) {error_message = "needs two columns, there are {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %r1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %two1 = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %r1, %two1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %c1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %whole = stablehlo.concatenate %r1, %c1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %whole, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %worst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  // CHECK: {{\[\[}}4.000000e+00, 3.000000e+00], [9.000000e+00, 6.000000e+00]]
  %b:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %worst, %none, %shape, %shape) {called_computations = [@greater],
      indices_of_shape_operands = dense<[4, 5]> : tensor<2xi64>, mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} :
      (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  // CHECK: {{\[\[}}4.000000e+00, 3.000000e+00, 1.000000e+00], [9.000000e+00, 6.000000e+00, 5.000000e+00]]
  %one = stablehlo.constant dense<1> : tensor<i32>
  %k = stablehlo.subtract %columns, %one : tensor<i32>
  %t:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?x?xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  // CHECK: {{\[\[}}3.000000e+00, 4.000000e+00, 4.000000e+00], [9.000000e+00, 9.000000e+00, 6.000000e+00]]
  %size = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %step = stablehlo.constant dense<1> : tensor<2xi32>
  %pad = stablehlo.constant dense<0> : tensor<2x2xi32>
  %w = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %worst, %size, %step, %step, %step, %pad) {
      called_computations = [@largest]} :
      (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %b#0, %t#0, %w : tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
// WRONG: needs two columns, there are 1
// WRONG: status 1

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}
func.func private @largest(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.maximum %a, %b : tensor<f32>
  return %r : tensor<f32>
}
