// RUN: tess convert --to-hlo %s | FileCheck %s
// RUN: tess convert --to-hlo %s > %t && tess hlo %t > %t.again && diff %t %t.again
// Names that HLO cannot have, such as a lambda's in a program of JAX.

// CHECK: HloModule jit__lambda__,
// CHECK: %_lambda_.[[N:[0-9]+]] (
// CHECK: call({{.*}}), to_apply=%_lambda_.[[N]]
module @"jit(<lambda>)" {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @"<lambda>"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @"<lambda>"(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
