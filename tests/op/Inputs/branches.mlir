func.func @main(%a: tensor<f32>) -> tensor<f32> {
  cf.br ^bb1(%a : tensor<f32>)
^bb1(%x: tensor<f32>):
  return %x : tensor<f32>
}
