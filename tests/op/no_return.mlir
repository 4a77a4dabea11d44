// RUN: tess opt %s -split-input-file -verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
func.func @manual(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op needs a body that ends in sdy.return}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={} (%b: tensor<8xf32>) {
    %1 = stablehlo.abs %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @named(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'sdy.named_computation' op needs a body that ends in sdy.return}}
  %0 = sdy.named_computation<"f">(%a) (%b: tensor<8xf32>) {
    %1 = stablehlo.abs %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
