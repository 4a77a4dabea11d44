// A callback that each device makes for itself (jax.debug.print(..., partitioned=True)) gets what the
// device holds, each operand as it is sharded; any other gets whole values.
// RUN: tess partition %s --bare | FileCheck %s
// CHECK: func.func @main(%[[X:.*]]: tensor<2x8xf32>, %[[Y:.*]]: tensor<4x2xf32>)
// CHECK: custom_call @xla_ffi_partitioned_python_cpu_callback(%[[X]], %[[Y]]) {{.*}} : (tensor<2x8xf32>, tensor<4x2xf32>) -> ()
// CHECK: custom_call @xla_ffi_python_cpu_callback({{.*}}) {{.*}} : (tensor<8x8xf32>) -> ()

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %y: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%x, %y) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<8x8xf32>, tensor<4x8xf32>) -> ()
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true, mhlo.backend_config = {index = 1 : ui64}} : (tensor<8x8xf32>) -> ()
  return %x : tensor<8x8xf32>
}
