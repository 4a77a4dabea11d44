// A library without HLO says so, whatever asks for it.
// REQUIRES: no-hlo
// RUN: (! tess hlo %S/../hlo/rounds.hlo 2>&1) | FileCheck %s
// RUN: (! tess hlo --shape 'f32[2]' 2>&1) | FileCheck %s
// RUN: (! tess convert %S/../hlo/rounds.hlo 2>&1) | FileCheck %s
// RUN: (! tess convert --to-hlo %s 2>&1) | FileCheck %s
// RUN: (! tess shard %S/../hlo/rounds.hlo 2>&1) | FileCheck %s
// CHECK: error[E0905]: {{.*}}this library was built without HLO: build it with -DTESS_HLO=ON

// What needs no HLO is as it was.
// RUN: tess shard %s | FileCheck %s --check-prefix=SHARD
// SHARD: stablehlo.negate
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
