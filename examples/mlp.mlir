// Two layers, data parallel over "data" and tensor parallel over "model".  Only the
// input and the first weight are annotated; `tess explain` shows what follows from that.
sdy.mesh @mesh = <["data"=4, "model"=2]>

func.func public @main(
    %x: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<64x8xf32>) -> tensor<32x8xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %a = stablehlo.tanh %h : tensor<32x64xf32>
  %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}
