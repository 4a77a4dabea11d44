// RUN: rm -f %t.said
// RUN: for f in a b c d; do ! tess eval %s --function $f >>%t.said 2>&1 || exit 1; done
// RUN: FileCheck %s <%t.said
// Asynchronous collectives of JAX that do not say what they are.

func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %y : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK: error[E0302]: @all-reduce-start needs async_collective_config, a text, among its mhlo.frontend_attributes
func.func @a() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @"all-reduce-start"(%a) {called_computations = [@add]} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: must be a JSON object of numbers, truths and tables of numbers; it is not one at character 28
func.func @b() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @"all-reduce-start"(%a) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0, 1], \22channel_id\22: 1}"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: needs a function with a body as its called_computations
func.func @c() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @"all-reduce-start"(%a) {mhlo.frontend_attributes = {async_collective_config = "{\22replica_groups\22: [[0]]}"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: 'stablehlo.all_reduce' op attribute 'replica_groups' is required
func.func @d() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @"all-reduce-start"(%a) {called_computations = [@add], mhlo.frontend_attributes = {async_collective_config = "{\22channel_id\22: 1}"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
