// Properties that are all absent are left out: arith.addf has more of them for newer readers.  Those that
// are there are written with all that may be there.
// RUN: tess opt %s > %t
// RUN: tess convert %s -o %t.mlirbc && tess opt %t.mlirbc | diff %t -
// RUN: tess convert %s --to artifact -o %t.bc && tess opt %t.bc | diff %t -
func.func @main(%arg0: tensor<f32>, %arg1: f32) -> tensor<f32> {
  %0 = arith.addf %arg0, %arg0 : tensor<f32>
  %1 = arith.mulf %arg1, %arg1 fastmath<nnan> : f32
  %2 = arith.maximumf %arg1, %1 : f32
  return %0 : tensor<f32>
}
