// What is written as a proto reads as it was: attributes of every form, elements of every type.
// RUN: tess convert %S/Inputs/loops.pb --to proto > %t.pb && tess hlo --large-constants %t.pb > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/loops.hlo | diff - %t.proto
// RUN: tess convert %S/Inputs/collectives.hlo -o %t.pb && tess hlo --large-constants %t.pb > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/collectives.hlo | diff - %t.proto
// RUN: tess convert %S/Inputs/torch.pb --to proto | tess hlo --large-constants - > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/torch.hlo | diff - %t.proto
// RUN: tess hlo --large-constants %S/forms.hlo > %t.text
// RUN: tess convert %S/forms.hlo --to proto | tess hlo --large-constants - | diff %t.text -
// RUN: tess hlo --large-constants %S/async.hlo > %t.text
// RUN: tess convert %S/async.hlo --to proto | tess hlo --large-constants - | diff %t.text -

// A proto of StableHLO is that of its HLO.
// RUN: tess convert --to hlo %s > %t.hlo
// RUN: tess convert --to proto %s | tess hlo --large-constants - | diff %t.hlo -

// What protos cannot hold is an error: elements that the text left out, groups that have no field.
// RUN: (sed 's/constant({ { 1, 2.5.*/constant({...})/' %S/forms.hlo | tess convert --to proto -; echo status $?) 2>&1 | FileCheck %s --check-prefix=ELIDED
// ELIDED: error[E0853]: protos cannot hold a constant whose elements the text leaves out
// ELIDED: status 1
// RUN: (tess convert --to proto --target-version 1.0.0 %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: --target-version needs --to artifact
// TARGET: status 2

// What StableHLO has no operation for stays one of HLO, which no reader of an artifact would know.
// RUN: (printf 'HloModule m\n\nENTRY i {\n  ROOT c = u64[2]{0} rng-get-and-update-state(), delta=1\n}\n' | tess convert --to artifact -; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOT
// NOT: error[E0114]: StableHLO's portable artifacts have no operation hlo.rng-get-and-update-state; the artifact is to be for 1.20.0
// NOT: status 1

func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
