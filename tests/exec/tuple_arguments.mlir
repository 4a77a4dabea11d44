// Programs that take or give tuples are refused before anything is computed.
// RUN: (! tess eval %s --function pairs 2>&1) | FileCheck %s --check-prefix=PAIR
// RUN: (! tess eval %s --function pair 2>&1) | FileCheck %s --check-prefix=GIVEN
// RUN: tess eval %s --function inside --quiet
// PAIR: error[E0004]: argument 0 is a tuple<tensor<4xf32>, tensor<i32>>: only programs whose arguments
// GIVEN: error[E0004]: result 0 is a tuple<tensor<f32>>: only programs whose arguments
func.func @pairs(%x: tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32> {
  %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @pair(%x: tensor<f32>) -> tuple<tensor<f32>> {
  %0 = stablehlo.tuple %x : tuple<tensor<f32>>
  return %0 : tuple<tensor<f32>>
}

// Inside of a function they may be used.
func.func @inside() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<7> : tensor<i32>
  %t = stablehlo.tuple %x, %n : tuple<tensor<2xf32>, tensor<i32>>
  %first = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %second = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %first, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %second, dense<7> : tensor<i32>
  return
}
