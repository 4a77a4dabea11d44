// RUN: tess eval %s --quiet
// What the bodies of reductions may hold: constants from outside of them, other views of the bits, any
// operations; and the same between devices.

func.func private @joined(%x: tensor<3xf32>) -> tensor<3xf32> {
  // (1 + x) (1 + y) - 1, in any order: of three (1 + x) (1 + y) (1 + z) - 1
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %a, %b : tensor<f32>
    %s = stablehlo.add %a, %b : tensor<f32>
    %r = stablehlo.add %p, %s : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @main() {
  %v = stablehlo.constant dense<[[1.0, -5.0, 3.0], [-2.0, 4.0, 0.5]]> : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>

  // Sums of magnitudes that stop at a constant from outside: 9 and 6.5.
  %some = stablehlo.abs %v : tensor<2x3xf32>
  %most = stablehlo.constant dense<8.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%some, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    %c = stablehlo.minimum %s, %most : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[8.0, 6.5]> : tensor<2xf32>

  // The largest magnitude: bits without the sign compare as numbers do.
  %1 = "stablehlo.reduce"(%v, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %mask = stablehlo.constant dense<2147483647> : tensor<i32>
    %i = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>
    %j = stablehlo.bitcast_convert %b : (tensor<f32>) -> tensor<i32>
    %k = stablehlo.and %j, %mask : tensor<i32>
    %m = stablehlo.maximum %i, %k : tensor<i32>
    %r = stablehlo.bitcast_convert %m : (tensor<i32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[5.0, 4.0]> : tensor<2xf32>

  %x = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<[2.0, 0.0, 1.0]> : tensor<3xf32>
  %2:3 = "interpreter.run_parallel"(%x, %y, %z) {programs = [[@joined, @joined, @joined]]} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_eq_const %2#0, dense<[5.0, 3.0, 11.0]> : tensor<3xf32>
  check.expect_eq %2#1, %2#0 : tensor<3xf32>
  check.expect_eq %2#2, %2#0 : tensor<3xf32>
  return
}
