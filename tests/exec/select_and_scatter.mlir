// RUN: tess eval %s --quiet
// Where a window's best element gets what is scattered: by each comparison, with equal elements.
// The values are those of StableHLO's interpreter.

func.func @main() {
  %x_f32 = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0], [1.0, 3.0, 1.0, 4.0], [9.0, 2.0, 6.0, 5.0], [2.0, 9.0, 5.0, 6.0]]> : tensor<4x4xf32>
  %s_f32 = stablehlo.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf32>
  %z_f32 = stablehlo.constant dense<0.0> : tensor<f32>
  %gt_f32 = "stablehlo.select_and_scatter"(%x_f32, %s_f32, %z_f32) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %gt_f32, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 10.0, 0.0, 20.0], [0.0, 0.0, 0.0, 0.0], [0.0, 30.0, 0.0, 40.0]]> : tensor<4x4xf32>
  %ge_f32 = "stablehlo.select_and_scatter"(%x_f32, %s_f32, %z_f32) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %ge_f32, dense<[[10.0, 0.0, 20.0, 0.0], [0.0, 0.0, 0.0, 0.0], [30.0, 0.0, 40.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %lt_f32 = "stablehlo.select_and_scatter"(%x_f32, %s_f32, %z_f32) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %lt_f32, dense<[[0.0, 0.0, 0.0, 0.0], [10.0, 0.0, 20.0, 0.0], [0.0, 0.0, 0.0, 0.0], [30.0, 0.0, 40.0, 0.0]]> : tensor<4x4xf32>
  %le_f32 = "stablehlo.select_and_scatter"(%x_f32, %s_f32, %z_f32) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %le_f32, dense<[[0.0, 10.0, 0.0, 20.0], [0.0, 0.0, 0.0, 0.0], [0.0, 30.0, 0.0, 40.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %x_f64 = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0], [1.0, 3.0, 1.0, 4.0], [9.0, 2.0, 6.0, 5.0], [2.0, 9.0, 5.0, 6.0]]> : tensor<4x4xf64>
  %s_f64 = stablehlo.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf64>
  %z_f64 = stablehlo.constant dense<0.0> : tensor<f64>
  %gt_f64 = "stablehlo.select_and_scatter"(%x_f64, %s_f64, %z_f64) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %gt_f64, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 10.0, 0.0, 20.0], [0.0, 0.0, 0.0, 0.0], [0.0, 30.0, 0.0, 40.0]]> : tensor<4x4xf64>
  %ge_f64 = "stablehlo.select_and_scatter"(%x_f64, %s_f64, %z_f64) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %ge_f64, dense<[[10.0, 0.0, 20.0, 0.0], [0.0, 0.0, 0.0, 0.0], [30.0, 0.0, 40.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf64>
  %lt_f64 = "stablehlo.select_and_scatter"(%x_f64, %s_f64, %z_f64) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %lt_f64, dense<[[0.0, 0.0, 0.0, 0.0], [10.0, 0.0, 20.0, 0.0], [0.0, 0.0, 0.0, 0.0], [30.0, 0.0, 40.0, 0.0]]> : tensor<4x4xf64>
  %le_f64 = "stablehlo.select_and_scatter"(%x_f64, %s_f64, %z_f64) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.compare LE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %c = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %c : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %le_f64, dense<[[0.0, 10.0, 0.0, 20.0], [0.0, 0.0, 0.0, 0.0], [0.0, 30.0, 0.0, 40.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf64>
  return
}
