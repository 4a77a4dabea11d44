// RUN: tess eval %s
// What annotations say of values is no part of what is computed.

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %a = stablehlo.iota dim = 0 : tensor<4x2xf32>
  %b = sdy.data_flow_edge %a : tensor<4x2xf32>
  %c = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<4x2xf32>
  %d = sdy.all_to_all [{"x"}: 0->1] %c out_sharding=<@mesh, [{}, {"x"}]> : tensor<4x2xf32>
  %e = sdy.all_gather [{}, {"x"}] %d out_sharding=<@mesh, [{}, {}]> : tensor<4x2xf32>
  %f = sdy.all_slice [{"y"}, {}] %e out_sharding=<@mesh, [{"y"}, {}]> : tensor<4x2xf32>
  %g = sdy.collective_permute %f out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x2xf32>
  %h = sdy.propagation_barrier %g allowed_direction=NONE : tensor<4x2xf32>
  sdy.sharding_group %h group_id=0 : tensor<4x2xf32>
  check.expect_eq_const %h, dense<[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]> : tensor<4x2xf32>
  return
}
