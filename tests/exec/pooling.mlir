// RUN: tess eval %s --quiet
// Windows over rows of features, with strides, padding and overlap; values by hand.

func.func @main() {
  // two features: the second is ten times the first, negated
  %x = stablehlo.constant dense<[[[1.0, -10.0], [5.0, -50.0], [2.0, -20.0], [4.0, -40.0], [3.0, -30.0]]]> : tensor<1x5x2xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>

  %0 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %0, dense<[[[5.0, -10.0], [4.0, -20.0]]]> : tensor<1x2x2xf32>

  // every window reaches over an edge or overlaps its neighbour
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3, 1>,
      padding = dense<[[0, 0], [1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  check.expect_eq_const %1, dense<[[[6.0, -60.0], [8.0, -80.0], [11.0, -110.0], [9.0, -90.0], [7.0, -70.0]]]> : tensor<1x5x2xf32>

  // a dilated window: elements 0 and 2, 1 and 3, 2 and 4
  %2 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x3x2xf32>
  check.expect_eq_const %2, dense<[[[3.0, -30.0], [9.0, -90.0], [5.0, -50.0]]]> : tensor<1x3x2xf32>

  // The gradient of the first: each goes to where the maximum was, the first of equals.
  %g = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %3 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x5x2xf32>, tensor<1x2x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [1.0, 0.0], [0.0, 4.0], [3.0, 0.0], [0.0, 0.0]]]> : tensor<1x5x2xf32>

  // Overlapping windows with padding: 5 wins twice in the first feature.
  %h = stablehlo.constant dense<[[[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]]> : tensor<1x3x2xf32>
  %4 = "stablehlo.select_and_scatter"(%x, %h, %zero) <{window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 2, 1>,
      padding = dense<[[0, 0], [1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  check.expect_eq_const %4, dense<[[[0.0, 1.0], [3.0, 0.0], [0.0, 2.0], [4.0, 0.0], [0.0, 4.0]]]> : tensor<1x5x2xf32>
  return
}
