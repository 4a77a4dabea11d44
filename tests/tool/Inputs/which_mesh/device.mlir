// Where there is no other, it is.
sdy.mesh @empty_mesh = <[]>
sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.custom_call @xla_python_cpu_callback(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<8xf32>) -> ()
  return %arg0 : tensor<8xf32>
}
