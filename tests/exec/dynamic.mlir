// Unknown dimensions become those of the inputs; shapes are computed from what decides them.
// RUN: %python -c "import struct, sys; h = str({'descr': '<f4', 'fortran_order': False, 'shape': (3,)}).encode(); h += b' ' * (63 - (10 + len(h)) %% 64) + b'\n'; open(sys.argv[1], 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(h)) + h + struct.pack('<3f', 1, 2, 3))" %t.npy
// RUN: tess eval %s --function outer --inputs %t.npy | FileCheck %s --check-prefix=OUTER
// OUTER: dense<{{\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00], [3.000000e+00, 6.000000e+00, 9.000000e+00]]> : tensor<3x3xf32>
// RUN: tess eval %s --function constants --quiet
// RUN: (! tess eval %s --function wrong --inputs %t.npy 2>&1) | FileCheck %s --check-prefix=WRONG
// WRONG: dynamic.mlir:[[#@LINE+71]]:{{.*}}the operand has 3 elements, but its shape needs 4

func.func public @outer(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %rows = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %columns = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = stablehlo.multiply %rows, %columns : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func public @constants() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %three = stablehlo.add %one, %two : tensor<1xi64>
  %padded = stablehlo.dynamic_pad %x, %zero, %one, %one, %one : (tensor<4xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  %nine = stablehlo.multiply %three, %three : tensor<1xi64>
  %same = stablehlo.dynamic_reshape %padded, %nine : (tensor<?xi32>, tensor<1xi64>) -> tensor<9xi32>
  check.expect_eq_const %same, dense<[0, 1, 0, 2, 0, 3, 0, 4, 0]> : tensor<9xi32>
  return
}

// A product has as many rows as its input; random bits are those of the operation without a shape.
// RUN: tess eval %s --function product --inputs %t.npy | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: dense<{{\[}}[1.000000e+00, -1.000000e+00], [2.000000e+00, -2.000000e+00], [3.000000e+00, -3.000000e+00]]> : tensor<3x2xf32>
func.func public @product(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %column = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %row = stablehlo.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %r = stablehlo.dot_general %column, %row, contracting_dims = [1] x [0] : (tensor<?x1xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
// RUN: tess eval %s --function random --quiet
func.func public @random() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %five) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %bits = stablehlo.dynamic_reshape %0#1, %five : (tensor<?xui32>, tensor<1xi32>) -> tensor<5xui32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq %0#0, %1#0 : tensor<2xui64>
  check.expect_eq %bits, %1#1 : tensor<5xui32>
  return
}
// RUN: tess eval %s --function best --quiet
func.func public @best() {
  %x = stablehlo.constant dense<[3.0, 9.0, 1.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %worst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %worst, %none, %k) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %values = stablehlo.dynamic_reshape %0#0, %two : (tensor<?xf32>, tensor<1xi32>) -> tensor<2xf32>
  %places = stablehlo.dynamic_reshape %0#1, %two : (tensor<?xi32>, tensor<1xi32>) -> tensor<2xi32>
  check.expect_eq_const %values, dense<[9.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %places, dense<[1, 3]> : tensor<2xi32>
  return
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}

func.func public @wrong(%x: tensor<?xf32>) -> tensor<?xf32> {
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %r = stablehlo.dynamic_reshape %x, %four : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
