// What is written is read as the same program, as bytecode of each version and as artifacts.
// RUN: tess opt %S/Inputs/sample.mlir > %t
// RUN: tess convert %S/Inputs/sample.mlir -o %t.0.mlirbc --bytecode-version 0 && tess opt %t.0.mlirbc | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir -o %t.1.mlirbc --bytecode-version 1 && tess opt %t.1.mlirbc | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir -o %t.2.mlirbc --bytecode-version 2 && tess opt %t.2.mlirbc | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir -o %t.3.mlirbc --bytecode-version 3 && tess opt %t.3.mlirbc | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir -o %t.4.mlirbc --bytecode-version 4 && tess opt %t.4.mlirbc | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir --to bytecode | tess opt - | diff %t -
// RUN: tess convert %S/Inputs/sample.mlir -o %t.bc && tess opt %t.bc | diff %t -
// RUN: tess convert %S/Inputs/sample.v6.bc --to artifact --target-version 12w | tess opt - | diff %t -
// RUN: tess convert %S/Inputs/sample.1.16.0.bc --to generic | tess opt - | diff %t -

// An older version, whose names and properties differ: what jaxlib has written for it is read alike.
// RUN: tess opt %S/Inputs/old.0.9.0.bc > %t.old
// RUN: tess convert %S/Inputs/old.mlir --target-version 0.9.0 -o %t.old.bc && tess opt %t.old.bc | diff %t.old -
// RUN: grep -q gather_v1 %t.old.bc && grep -q exponential_v1 %t.old.bc && grep -q StableHLO_v0.9.0 %t.old.bc

// What the version cannot say is an error, with the operation and the version that can.
// RUN: (! tess convert %S/Inputs/sample.mlir --target-version 0.9.0 2>&1) | FileCheck %s
// CHECK: sample.mlir:29:10: error[E0114]: stablehlo.custom_call with a dictionary as its backend_config needs StableHLO 1.3.0; the artifact is to be for 0.9.0
// RUN: (! tess convert %S/Inputs/sample.mlir --target-version 1.99.0 2>&1) | FileCheck %s --check-prefix=RANGE
// RANGE: error[E0114]: StableHLO 1.99.0 is out of range
// RUN: (! tess convert %S/Inputs/sample.mlir --target-version soon 2>&1) | FileCheck %s --check-prefix=WORD
// WORD: error[E0114]: 'soon' is not a version of StableHLO

// Attributes that are in the order of their names in a file, whatever the tables' order is.
// RUN: tess convert %s --to bytecode | tess opt - | FileCheck %s --check-prefix=ORDER
// ORDER: stablehlo.convolution{{.*}}pad = {{\[\[}}1, 1], [1, 1]]
// ORDER: values, {{.*}} = chlo.top_k
func.func @order(%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %x: tensor<8xf32>) -> tensor<1x8x8x4xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
  %1, %2 = chlo.top_k(%x, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0 : tensor<1x8x8x4xf32>
}
