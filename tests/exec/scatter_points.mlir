// Updates of single elements, more than are placed at a time, some of them nowhere: beside sums, least values, … over
// all updates of each place.
// RUN: tess eval %s

func.func private @add_f32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf32>
  %start = stablehlo.constant dense<3.0> : tensor<11xf32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<11xf32>, tensor<600x1xi32>, tensor<600xf32>) -> tensor<11xf32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf32>) -> tensor<11x600xf32>
  %neutral = stablehlo.constant dense<0.0> : tensor<11x600xf32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf32>
  %first = stablehlo.constant dense<3.0> : tensor<f32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.add across dimensions = [1] : (tensor<11x600xf32>, tensor<f32>) -> tensor<11xf32>
  check.expect_eq %got, %want : tensor<11xf32>
  return
}

func.func private @add_f64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf64>
  %start = stablehlo.constant dense<3.0> : tensor<11xf64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<11xf64>, tensor<600x1xi32>, tensor<600xf64>) -> tensor<11xf64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf64>) -> tensor<11x600xf64>
  %neutral = stablehlo.constant dense<0.0> : tensor<11x600xf64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf64>
  %first = stablehlo.constant dense<3.0> : tensor<f64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.add across dimensions = [1] : (tensor<11x600xf64>, tensor<f64>) -> tensor<11xf64>
  check.expect_eq %got, %want : tensor<11xf64>
  return
}

func.func private @add_i32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi32>
  %start = stablehlo.constant dense<3> : tensor<11xi32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<11xi32>, tensor<600x1xi32>, tensor<600xi32>) -> tensor<11xi32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %neutral = stablehlo.constant dense<0> : tensor<11x600xi32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi32>
  %first = stablehlo.constant dense<3> : tensor<i32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.add across dimensions = [1] : (tensor<11x600xi32>, tensor<i32>) -> tensor<11xi32>
  check.expect_eq %got, %want : tensor<11xi32>
  return
}

func.func private @add_ui64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xui64>
  %start = stablehlo.constant dense<3> : tensor<11xui64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %r = stablehlo.add %a, %b : tensor<ui64>
    stablehlo.return %r : tensor<ui64>
  }) : (tensor<11xui64>, tensor<600x1xi32>, tensor<600xui64>) -> tensor<11xui64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xui64>) -> tensor<11x600xui64>
  %neutral = stablehlo.constant dense<0> : tensor<11x600xui64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xui64>
  %first = stablehlo.constant dense<3> : tensor<ui64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.add across dimensions = [1] : (tensor<11x600xui64>, tensor<ui64>) -> tensor<11xui64>
  check.expect_eq %got, %want : tensor<11xui64>
  return
}

func.func private @add_i16() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi16>
  %start = stablehlo.constant dense<3> : tensor<11xi16>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %r = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %r : tensor<i16>
  }) : (tensor<11xi16>, tensor<600x1xi32>, tensor<600xi16>) -> tensor<11xi16>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi16>) -> tensor<11x600xi16>
  %neutral = stablehlo.constant dense<0> : tensor<11x600xi16>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi16>
  %first = stablehlo.constant dense<3> : tensor<i16>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.add across dimensions = [1] : (tensor<11x600xi16>, tensor<i16>) -> tensor<11xi16>
  check.expect_eq %got, %want : tensor<11xi16>
  return
}

func.func private @minimum_f32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf32>
  %start = stablehlo.constant dense<300.0> : tensor<11xf32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<11xf32>, tensor<600x1xi32>, tensor<600xf32>) -> tensor<11xf32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf32>) -> tensor<11x600xf32>
  %neutral = stablehlo.constant dense<1000.0> : tensor<11x600xf32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf32>
  %first = stablehlo.constant dense<300.0> : tensor<f32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.minimum across dimensions = [1] : (tensor<11x600xf32>, tensor<f32>) -> tensor<11xf32>
  check.expect_eq %got, %want : tensor<11xf32>
  return
}

func.func private @minimum_f64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf64>
  %start = stablehlo.constant dense<300.0> : tensor<11xf64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<11xf64>, tensor<600x1xi32>, tensor<600xf64>) -> tensor<11xf64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf64>) -> tensor<11x600xf64>
  %neutral = stablehlo.constant dense<1000.0> : tensor<11x600xf64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf64>
  %first = stablehlo.constant dense<300.0> : tensor<f64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.minimum across dimensions = [1] : (tensor<11x600xf64>, tensor<f64>) -> tensor<11xf64>
  check.expect_eq %got, %want : tensor<11xf64>
  return
}

func.func private @maximum_f32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf32>
  %start = stablehlo.constant dense<3.0> : tensor<11xf32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<11xf32>, tensor<600x1xi32>, tensor<600xf32>) -> tensor<11xf32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf32>) -> tensor<11x600xf32>
  %neutral = stablehlo.constant dense<0.0> : tensor<11x600xf32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf32>
  %first = stablehlo.constant dense<3.0> : tensor<f32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xf32>, tensor<f32>) -> tensor<11xf32>
  check.expect_eq %got, %want : tensor<11xf32>
  return
}

func.func private @minimum_i32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi32>
  %start = stablehlo.constant dense<300> : tensor<11xi32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.minimum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<11xi32>, tensor<600x1xi32>, tensor<600xi32>) -> tensor<11xi32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %neutral = stablehlo.constant dense<1000> : tensor<11x600xi32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi32>
  %first = stablehlo.constant dense<300> : tensor<i32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.minimum across dimensions = [1] : (tensor<11x600xi32>, tensor<i32>) -> tensor<11xi32>
  check.expect_eq %got, %want : tensor<11xi32>
  return
}

func.func private @maximum_i32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi32>
  %start = stablehlo.constant dense<3> : tensor<11xi32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<11xi32>, tensor<600x1xi32>, tensor<600xi32>) -> tensor<11xi32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %neutral = stablehlo.constant dense<0> : tensor<11x600xi32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi32>
  %first = stablehlo.constant dense<3> : tensor<i32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xi32>, tensor<i32>) -> tensor<11xi32>
  check.expect_eq %got, %want : tensor<11xi32>
  return
}

func.func private @minimum_i64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi64>
  %start = stablehlo.constant dense<300> : tensor<11xi64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %r : tensor<i64>
  }) : (tensor<11xi64>, tensor<600x1xi32>, tensor<600xi64>) -> tensor<11xi64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi64>) -> tensor<11x600xi64>
  %neutral = stablehlo.constant dense<1000> : tensor<11x600xi64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi64>
  %first = stablehlo.constant dense<300> : tensor<i64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.minimum across dimensions = [1] : (tensor<11x600xi64>, tensor<i64>) -> tensor<11xi64>
  check.expect_eq %got, %want : tensor<11xi64>
  return
}

func.func private @minimum_ui32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xui32>
  %start = stablehlo.constant dense<300> : tensor<11xui32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %r = stablehlo.minimum %a, %b : tensor<ui32>
    stablehlo.return %r : tensor<ui32>
  }) : (tensor<11xui32>, tensor<600x1xi32>, tensor<600xui32>) -> tensor<11xui32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xui32>) -> tensor<11x600xui32>
  %neutral = stablehlo.constant dense<1000> : tensor<11x600xui32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xui32>
  %first = stablehlo.constant dense<300> : tensor<ui32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.minimum across dimensions = [1] : (tensor<11x600xui32>, tensor<ui32>) -> tensor<11xui32>
  check.expect_eq %got, %want : tensor<11xui32>
  return
}

func.func private @maximum_i64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi64>
  %start = stablehlo.constant dense<3> : tensor<11xi64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %r : tensor<i64>
  }) : (tensor<11xi64>, tensor<600x1xi32>, tensor<600xi64>) -> tensor<11xi64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi64>) -> tensor<11x600xi64>
  %neutral = stablehlo.constant dense<0> : tensor<11x600xi64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi64>
  %first = stablehlo.constant dense<3> : tensor<i64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xi64>, tensor<i64>) -> tensor<11xi64>
  check.expect_eq %got, %want : tensor<11xi64>
  return
}

func.func private @maximum_f64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf64>
  %start = stablehlo.constant dense<3.0> : tensor<11xf64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<11xf64>, tensor<600x1xi32>, tensor<600xf64>) -> tensor<11xf64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf64>) -> tensor<11x600xf64>
  %neutral = stablehlo.constant dense<0.0> : tensor<11x600xf64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf64>
  %first = stablehlo.constant dense<3.0> : tensor<f64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xf64>, tensor<f64>) -> tensor<11xf64>
  check.expect_eq %got, %want : tensor<11xf64>
  return
}

func.func private @last_f32() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xf32>
  %start = stablehlo.constant dense<-1.0> : tensor<11xf32>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<11xf32>, tensor<600x1xi32>, tensor<600xf32>) -> tensor<11xf32>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xf32>) -> tensor<11x600xf32>
  %neutral = stablehlo.constant dense<-1.0> : tensor<11x600xf32>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xf32>
  %first = stablehlo.constant dense<-1.0> : tensor<f32>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xf32>, tensor<f32>) -> tensor<11xf32>
  check.expect_eq %got, %want : tensor<11xf32>
  return
}

func.func private @last_i64() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi64>
  %start = stablehlo.constant dense<-1> : tensor<11xi64>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    stablehlo.return %b : tensor<i64>
  }) : (tensor<11xi64>, tensor<600x1xi32>, tensor<600xi64>) -> tensor<11xi64>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi64>) -> tensor<11x600xi64>
  %neutral = stablehlo.constant dense<-1> : tensor<11x600xi64>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi64>
  %first = stablehlo.constant dense<-1> : tensor<i64>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xi64>, tensor<i64>) -> tensor<11xi64>
  check.expect_eq %got, %want : tensor<11xi64>
  return
}

func.func private @last_i16() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %seven = stablehlo.constant dense<7> : tensor<600xi32>
  %thirteen = stablehlo.constant dense<13> : tensor<600xi32>
  %one = stablehlo.constant dense<1> : tensor<600xi32>
  %p = stablehlo.multiply %i, %seven : tensor<600xi32>
  %q = stablehlo.remainder %p, %thirteen : tensor<600xi32>
  %place = stablehlo.subtract %q, %one : tensor<600xi32>
  %indices = stablehlo.reshape %place : (tensor<600xi32>) -> tensor<600x1xi32>
  %update = stablehlo.convert %i : (tensor<600xi32>) -> tensor<600xi16>
  %start = stablehlo.constant dense<-1> : tensor<11xi16>
  %got = "stablehlo.scatter"(%start, %indices, %update) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    stablehlo.return %b : tensor<i16>
  }) : (tensor<11xi16>, tensor<600x1xi32>, tensor<600xi16>) -> tensor<11xi16>
  %bin = stablehlo.iota dim = 0 : tensor<11x600xi32>
  %places = stablehlo.broadcast_in_dim %place, dims = [1] : (tensor<600xi32>) -> tensor<11x600xi32>
  %here = stablehlo.compare EQ, %bin, %places : (tensor<11x600xi32>, tensor<11x600xi32>) -> tensor<11x600xi1>
  %updates = stablehlo.broadcast_in_dim %update, dims = [1] : (tensor<600xi16>) -> tensor<11x600xi16>
  %neutral = stablehlo.constant dense<-1> : tensor<11x600xi16>
  %mine = stablehlo.select %here, %updates, %neutral : tensor<11x600xi1>, tensor<11x600xi16>
  %first = stablehlo.constant dense<-1> : tensor<i16>
  %want = stablehlo.reduce(%mine init: %first) applies stablehlo.maximum across dimensions = [1] : (tensor<11x600xi16>, tensor<i16>) -> tensor<11xi16>
  check.expect_eq %got, %want : tensor<11xi16>
  return
}

// Two components, and a batch dimension.
func.func private @batched() {
  %start = stablehlo.constant dense<0> : tensor<2x3x4xi32>
  %indices = stablehlo.constant dense<[[[0, 3], [2, 1], [0, 3], [3, 0]], [[1, 1], [-1, 0], [1, 1], [1, 2]]]> : tensor<2x4x2xi32>
  %updates = stablehlo.constant dense<[[1, 2, 4, 8], [16, 32, 64, 128]]> : tensor<2x4xi32>
  %got = "stablehlo.scatter"(%start, %indices, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<2x3x4xi32>, tensor<2x4x2xi32>, tensor<2x4xi32>) -> tensor<2x3x4xi32>
  check.expect_eq_const %got, dense<[[[0, 0, 0, 5], [0, 0, 0, 0], [0, 2, 0, 0]], [[0, 0, 0, 0], [0, 80, 128, 0], [0, 0, 0, 0]]]> : tensor<2x3x4xi32>
  return
}

// NaN stays, and -0 is less than 0.
func.func private @special() {
  %start = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7FC00000, 0.0, -0.0]> : tensor<6xf32>
  %indices = stablehlo.constant dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi32>
  %updates = stablehlo.constant dense<[-0.0, 0.0, 0x7FC00000, 1.0, 0.0, -0.0]> : tensor<6xf32>
  %least = "stablehlo.scatter"(%start, %indices, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<6xf32>
  %least_bits = stablehlo.bitcast_convert %least : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %least_bits, dense<[0x80000000, 0x80000000, 0x7FC00000, 0x7FC00000, 0, 0x80000000]> : tensor<6xui32>
  %most = "stablehlo.scatter"(%start, %indices, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<6xf32>
  %most_bits = stablehlo.bitcast_convert %most : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %most_bits, dense<[0, 0, 0x7FC00000, 0x7FC00000, 0, 0x80000000]> : tensor<6xui32>
  return
}

func.func @main() {
  func.call @add_f32() : () -> ()
  func.call @add_f64() : () -> ()
  func.call @add_i32() : () -> ()
  func.call @add_ui64() : () -> ()
  func.call @add_i16() : () -> ()
  func.call @minimum_f32() : () -> ()
  func.call @minimum_f64() : () -> ()
  func.call @maximum_f32() : () -> ()
  func.call @minimum_i32() : () -> ()
  func.call @maximum_i32() : () -> ()
  func.call @minimum_i64() : () -> ()
  func.call @minimum_ui32() : () -> ()
  func.call @maximum_i64() : () -> ()
  func.call @maximum_f64() : () -> ()
  func.call @last_f32() : () -> ()
  func.call @last_i64() : () -> ()
  func.call @last_i16() : () -> ()
  func.call @batched() : () -> ()
  func.call @special() : () -> ()
  return
}
