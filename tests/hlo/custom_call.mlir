// RUN: tess convert --to-hlo %s | FileCheck %s
// RUN: tess convert --to-hlo %s > %t && tess hlo %t > %t.again && diff %t %t.again
// RUN: tess convert %t | FileCheck %s --check-prefix=BACK
// The layouts that a custom call asks for, and the options of a typed one, which JAX writes apart.

func.func @main(%a: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {
  // CHECK: (f32[3,5]{0,1}, f32[3]{0}) custom-call(%{{[^ ]*}}), custom_call_target="lapack_sgeqrf_ffi", operand_layout_constraints={f32[3,5]{0,1}}, api_version=API_VERSION_TYPED_FFI, backend_config={mode = 78 : ui8}
  // BACK: stablehlo.custom_call @lapack_sgeqrf_ffi({{.*}}api_version = 4 : i32, backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
  // CHECK: f32[3,5]{1,0} custom-call({{.*}}), custom_call_target="plain", backend_config="x\"y"
  // BACK: stablehlo.custom_call @plain(%{{[^ ]*}}) {backend_config = "x\22y"} :
  %1 = stablehlo.custom_call @plain(%0#0) {backend_config = "x\22y"} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  // CHECK: f32[3]{0} custom-call({{.*}}), custom_call_target="with_literal", literal=f32[2]{0} {1, 2.5}
  // BACK: stablehlo.custom_call @with_literal(%{{[^ ]*}}) {mhlo.literal = dense<[1.000000e+00, 2.500000e+00]> : tensor<2xf32>} :
  %2 = stablehlo.custom_call @with_literal(%0#1) {mhlo.literal = dense<[1.0, 2.5]> : tensor<2xf32>} : (tensor<3xf32>) -> tensor<3xf32>
  return %1, %2 : tensor<3x5xf32>, tensor<3xf32>
}
