// Dimensions that a loop carries, that branches give, and that a function takes shrink together.
// RUN: tess verify %s --shrink | FileCheck %s
// CHECK: 4 comparisons agree on 4 devices

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func private @double(%a: tensor<1048577x1048576xf32>) -> tensor<1048577x1048576xf32> {
  %0 = stablehlo.add %a, %a : tensor<1048577x1048576xf32>
  return %0 : tensor<1048577x1048576xf32>
}

func.func @main(%a: tensor<1048577x1048576xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %p: tensor<i1>, %k: tensor<i32>)
    -> (tensor<1048577x1048576xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<1048577x1048576xf32>, tensor<1048577xf32>, tensor<1048576x1048577xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %i, %w = stablehlo.while(%j = %zero, %b = %a) : tensor<i32>, tensor<1048577x1048576xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %lt = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %j, %one : tensor<i32>
      %c = func.call @double(%b) : (tensor<1048577x1048576xf32>) -> tensor<1048577x1048576xf32>
      stablehlo.return %next, %c : tensor<i32>, tensor<1048577x1048576xf32>
    }
  %f = "stablehlo.if"(%p) ({
    %n = stablehlo.negate %w : tensor<1048577x1048576xf32>
    stablehlo.return %n : tensor<1048577x1048576xf32>
  }, {
    stablehlo.return %w : tensor<1048577x1048576xf32>
  }) : (tensor<i1>) -> tensor<1048577x1048576xf32>
  %s = "stablehlo.case"(%k) ({
    %r = stablehlo.reduce(%f init: %none) applies stablehlo.add across dimensions = [1] : (tensor<1048577x1048576xf32>, tensor<f32>) -> tensor<1048577xf32>
    stablehlo.return %r : tensor<1048577xf32>
  }, {
    %r = stablehlo.reduce(%f init: %none) applies stablehlo.maximum across dimensions = [1] : (tensor<1048577x1048576xf32>, tensor<f32>) -> tensor<1048577xf32>
    stablehlo.return %r : tensor<1048577xf32>
  }) : (tensor<i32>) -> tensor<1048577xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<1048577x1048576xf32>) -> tensor<1048576x1048577xf32>
  %o = stablehlo.optimization_barrier %t : tensor<1048576x1048577xf32>
  return %w, %f, %s, %o : tensor<1048577x1048576xf32>, tensor<1048577x1048576xf32>, tensor<1048577xf32>, tensor<1048576x1048577xf32>
}
