// RUN: tess eval %s --quiet
// Operations whose region is computed once, later, or for each slice.

func.func @main() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %named = sdy.named_computation<"block">(%a) (%b: tensor<4xf32>) {
    %t = stablehlo.add %b, %b : tensor<4xf32>
    sdy.return %t : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %named, dense<[2.0, 4.0, 6.0, 8.0]> : tensor<4xf32>

  %future = "stablehlo.async_start"(%named) ({
  ^bb0(%b: tensor<4xf32>):
    %t = stablehlo.slice %b [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %t : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  %done = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  check.expect_eq_const %done, dense<[4.0, 6.0]> : tensor<2xf32>

  // Sums of what came before, and the last one; then from behind.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums, %all = chlo.scan(%a) inits (%zero) dimension=0 {
  ^bb0(%x: tensor<f32>, %s: tensor<f32>):
    %t = stablehlo.add %s, %x : tensor<f32>
    stablehlo.return %t, %t : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  check.expect_eq_const %sums, dense<[1.0, 3.0, 6.0, 10.0]> : tensor<4xf32>
  check.expect_eq_const %all, dense<10.0> : tensor<f32>
  %behind, %rest = chlo.scan(%a) inits (%zero) dimension=0  attributes {is_reverse = true} {
  ^bb0(%x: tensor<f32>, %s: tensor<f32>):
    %t = stablehlo.add %s, %x : tensor<f32>
    stablehlo.return %t, %t : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  check.expect_eq_const %behind, dense<[10.0, 9.0, 7.0, 4.0]> : tensor<4xf32>
  check.expect_eq_const %rest, dense<10.0> : tensor<f32>
  return
}
