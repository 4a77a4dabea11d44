// Blobs keep how they are aligned.  jaxlib has written the bytecode of this text.
// RUN: tess opt %s > %t
// RUN: tess opt %S/Inputs/resources.bc | diff %t -
// RUN: tess convert %s -o %t.mlirbc && tess opt %t.mlirbc | diff %t -
// RUN: FileCheck %s < %t
// CHECK: b: "0x08000000010000000000000002000000000000000300000000000000"
// CHECK: c: "0x100000002A"
module {
  func.func @main() -> (tensor<2xf32>, tensor<3xi64>, tensor<1xi8>) {
    %0 = stablehlo.constant dense_resource<a> : tensor<2xf32>
    %1 = stablehlo.constant dense_resource<b> : tensor<3xi64>
    %2 = stablehlo.constant dense_resource<c> : tensor<1xi8>
    return %0, %1, %2 : tensor<2xf32>, tensor<3xi64>, tensor<1xi8>
  }
}

{-#
  dialect_resources: {
    builtin: {
      a: "0x040000000000803F00000040",
      b: "0x08000000010000000000000002000000000000000300000000000000",
      c: "0x100000002A"
    }
  }
#-}
