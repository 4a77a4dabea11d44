// A vocabulary of 50257 over 4 devices: three elements of padding, at every step.
// RUN: tess lint %s | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%e: tensor<50257x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<50257x64xf32> {
// CHECK: padded_dimension.mlir:[[#@LINE-1]]:{{[0-9]+}}: note[L4]:
  %0 = stablehlo.negate %e : tensor<50257x64xf32>
  return %0 : tensor<50257x64xf32>
}
