// RUN: tess eval %s --quiet
// Bodies that are associative but do not commute are applied in the order of the elements: the last one,
// the composition of maps x -> a x + b, and the position of the first NaN.

func.func @main() {
  %x = stablehlo.iota dim = 0 : tensor<1500xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<1500xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %m = stablehlo.maximum %b, %z : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }
  check.expect_eq_const %last, dense<1499> : tensor<i32>

  // 3 x + 1, five times, modulo 2^32: 3^5 x + (3^5 - 1) / 2
  %s = stablehlo.constant dense<3> : tensor<5xi32>
  %t = stablehlo.constant dense<[1, 1, 1, 1, 2]> : tensor<5xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %c:2 = stablehlo.reduce(%s init: %one), (%t init: %zero) across dimensions = [0] :
      (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%a: tensor<i32>, %p: tensor<i32>) (%b: tensor<i32>, %q: tensor<i32>) {
      %e = stablehlo.multiply %a, %p : tensor<i32>
      %f = stablehlo.multiply %p, %b : tensor<i32>
      %g = stablehlo.add %f, %q : tensor<i32>
      stablehlo.return %e, %g : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %c#0, dense<243> : tensor<i32>
  check.expect_eq_const %c#1, dense<122> : tensor<i32>

  %v = stablehlo.constant dense<[3.0, 0x7FC00000, 0.0, 1.0, 5.0, 2.0, 0xFFC00000]> : tensor<7xf32>
  %i = stablehlo.iota dim = 0 : tensor<7xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n:2 = stablehlo.reduce(%v init: %low), (%i init: %zero) across dimensions = [0] :
      (tensor<7xf32>, tensor<7xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
      %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.or %0, %1 : tensor<i1>
      %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
      %4 = stablehlo.select %2, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
    }
  check.expect_eq_const %n#1, dense<1> : tensor<i32>
  return
}
