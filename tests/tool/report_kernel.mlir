// A kernel that says what it costs, as Pallas writes it, counts; one that does not is told.

// 2 * 10^9 FLOP and 3000 B, twice; of the third only its operand and result are known, 512 B.
// RUN: tess report %s --target cpu --json | FileCheck %s
// CHECK: "work": {
// CHECK-NEXT: "flops": 4000000000,
// CHECK-NEXT: "bytes": 6512,
// CHECK: "custom_calls": 1
// CHECK: "op": "stablehlo.custom_call",
// CHECK: "count": 3,
// CHECK: "flops": 4000000000,
// CHECK-NEXT: "bytes": 6512,

// Each 2e9 FLOP at 0.8 * 0.7 of 175e9, with 1 us of launch: 20.409 ms.
// RUN: tess report %s --target cpu | FileCheck %s --check-prefix=TEXT
// TEXT: a step takes 40.8 ms
// TEXT: not counted: 1 custom call

func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @tpu_custom_call(%a) {backend_config = "{\22custom_call_config\22: {\22cost_estimate\22: {\22flops\22: 2000000000, \22transcendentals\22: 0, \22bytes_accessed\22: 3000}}}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @tpu_custom_call(%0) {backend_config = "{\22custom_call_config\22: {\22cost_estimate\22: {\22flops\22: 2000000000, \22transcendentals\22: 0, \22bytes_accessed\22: 3000}}}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.custom_call @unknown(%1) {backend_config = "{\22flops\22: 5}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
