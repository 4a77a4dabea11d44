// RUN: tess opt %s -split-input-file -verify-diagnostics | FileCheck %s
// A call names a function of the module around it.

// CHECK-LABEL: module @inner
// CHECK:       call @f(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
module {
  module @inner {
    func.func private @f(tensor<2xf32>) -> tensor<2xf32>
    func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  }
  func.func private @f(tensor<3xf32>) -> tensor<3xf32>
}

// -----

module {
  module @inner {
    func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {
      // expected-error @+1 {{'func.call' op: there is no function @f}}
      %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  }
  func.func private @f(tensor<2xf32>) -> tensor<2xf32>
}
