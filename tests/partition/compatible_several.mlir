// RUN: tess opt %s -sdy-insert-explicit-reshards=enable-full-version=true 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --implicit-check-not=warning <%t
// Shardy combines the parts of each result by maximum if a maximum defines every value that the body
// returns, whatever its operands are; otherwise it sums them.
sdy.mesh @mesh = <["x"=2]>

// CHECK: func @maxima
// CHECK-COUNT-2: sdy.all_reduce max {"x"}
func.func @maxima(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %low: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = stablehlo.reduce(%a init: %low), (%b init: %low) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    %2 = stablehlo.maximum %z, %w : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// CHECK: func @both
// CHECK-COUNT-2: sdy.all_reduce {"x"}
// WARN: [[@LINE+2]]:10: warning[W0624]: the all_reduce behind 'stablehlo.reduce' sums the parts of result 1
func.func @both(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %low: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = stablehlo.reduce(%a init: %low), (%b init: %low) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = stablehlo.maximum %z, %w : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// CHECK: func @doubled
// CHECK: sdy.all_reduce max {"x"}
// WARN: [[@LINE+2]]:8: warning[W0624]: the all_reduce behind 'stablehlo.reduce' takes the maximum of the parts of result 0, as Shardy's does, but they do not combine by a maximum
func.func @doubled(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %low: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %low) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = stablehlo.maximum %1, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
