// RUN: for f in groups calls labels one_label future bits lapack; do ! tess eval %s --function $f 2>&1 || exit 1; done | FileCheck %s
// Programs that are right as text, and that cannot be run.

func.func private @three(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}stablehlo.all_reduce: replica_groups names a device that is not there
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @groups() -> tensor<2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@three, @three]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

func.func private @endless(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}func.call: @endless calls itself
  %0 = call @endless(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @calls() -> tensor<2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = call @endless(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @labels() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}stablehlo.einsum: einsum_config does not name the dimensions of operands and result
  %0 = "stablehlo.einsum"(%x, %x) <{einsum_config = "ij,jk->iz"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func @one_label() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}stablehlo.unary_einsum: einsum_config does not name the dimensions
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ij->iz"}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @future() -> tensor<2xf32> {
  %f = stablehlo.custom_call @start() : () -> !stablehlo.future<tensor<2xf32>>
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}stablehlo.async_done: a future that does not come from an async_start is not supported yet
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @bits() -> tensor<2xcomplex<f64>> {
  %x = stablehlo.constant dense<1> : tensor<2xui64>
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}stablehlo.rng_bit_generator: elements of this type are not supported yet
  %0:2 = stablehlo.rng_bit_generator %x, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xcomplex<f64>>)
  return %0#1 : tensor<2xcomplex<f64>>
}

func.func @lapack() -> tensor<2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  // CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}calling @lapack_sfoo_ffi is not supported yet
  %0 = stablehlo.custom_call @lapack_sfoo_ffi(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
