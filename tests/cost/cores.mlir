// Four devices that share two cores take twice as long for all that they do, besides the turns between them
// (turns.mlir); four cores are one each.

// RUN: echo "shared like=cpu cores=2 turn=1e-30" > %t.two
// RUN: echo "own like=cpu cores=4" > %t.four
// RUN: tess report %s --target cpu --json > %t.alone
// RUN: tess report %s --target %t.two --json > %t.shared
// RUN: tess report %s --target %t.four --json > %t.own
// RUN: %python %S/ratio.py %t.alone %t.shared | FileCheck %s --check-prefix=TWICE
// RUN: %python %S/ratio.py %t.alone %t.own | FileCheck %s --check-prefix=ONCE
// TWICE: overlapped 2.0000
// TWICE: serial 2.0000
// ONCE: overlapped 1.0000
// ONCE: serial 1.0000

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %w: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
