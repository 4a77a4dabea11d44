// An empty mesh alone is none: the program is for one device.
sdy.mesh @empty_mesh = <[]>
func.func @main(%arg0: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}) -> tensor<i32> {
  return %arg0 : tensor<i32>
}
