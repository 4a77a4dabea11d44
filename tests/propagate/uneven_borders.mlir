// Shardings of arguments and results that do not divide: cut down, or kept as they are told.
// RUN: tess opt %s -sdy-propagation-pipeline='avoid-export-for-partitioning=true' | FileCheck %s --check-prefix=CUT
// RUN: tess opt %s -sdy-propagation-pipeline='avoid-export-for-partitioning=true update-non-divisible-input-output-shardings=false' | FileCheck %s --check-prefix=KEPT

sdy.mesh @mesh = <["x"=8]>
// CUT: func.func @main(%arg0: tensor<9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
// KEPT: func.func @main(%arg0: tensor<9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
func.func @main(%a: tensor<9x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<9x4xf32> {
  %0 = stablehlo.add %a, %a : tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}
