// Collectives and the operations of sdy as HLO and back: XLA's parser accepts the text and prints it
// the same (tests/conformance/xla/to_hlo.py).
// RUN: tess convert --to-hlo %s > %t.hlo
// RUN: FileCheck %s < %t.hlo
// RUN: tess hlo %t.hlo | diff %t.hlo -
// RUN: tess convert %t.hlo > %t.back.mlir
// RUN: FileCheck %s --check-prefix=BACK < %t.back.mlir

sdy.mesh @mesh = <["a"=2, "b"=2]>

// BACK: func.func @main
func.func @main(%m: tensor<8x8xf32>, %lo: tensor<f32>, %hi: tensor<f32>) -> (tensor<4x8xf32>, tensor<16x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-DAG: = f32[4,8]{1,0} reduce-scatter({{.*}}), channel_id=1, replica_groups={{[{][{]}}0,1},{2,3{{[}][}]}}, use_global_device_ids=true, dimensions={0}, to_apply=
  // BACK-DAG: "stablehlo.reduce_scatter"({{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = {{[01]}}>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}>
  %0 = "stablehlo.reduce_scatter"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<8x8xf32>) -> tensor<4x8xf32>
  // HLO joins what comes in the dimension that is split; here it moves.
  // CHECK-DAG: = f32[8,8]{1,0} all-to-all({{.*}}), channel_id=2, {{.*}}dimensions={1}
  // CHECK-DAG: = f32[2,8,4]{2,1,0} transpose({{.*}}), dimensions={1,0,2}
  %1 = "stablehlo.all_to_all"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<8x8xf32>) -> tensor<16x4xf32>
  // CHECK-DAG: = f32[8,8]{1,0} collective-permute({{.*}}), channel_id=3, source_target_pairs={{[{][{]}}0,1},{1,0{{[}][}]}}
  // BACK-DAG: "stablehlo.collective_permute"({{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = {{[01]}}>, source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}>
  %2 = "stablehlo.collective_permute"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-DAG: = f32[8,8]{1,0} rng({{.*}}), distribution=rng_uniform
  // BACK-DAG: stablehlo.rng {{.*}} distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x8xf32>
  %shape = stablehlo.constant dense<[8, 8]> : tensor<2xi64>
  %3 = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x8xf32>
  // CHECK-DAG: = f32[8,8]{1,0} rng({{.*}}), distribution=rng_normal
  // BACK-DAG: stablehlo.rng {{.*}} distribution = NORMAL
  %4 = stablehlo.rng %lo, %hi, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x8xf32>
  // CHECK-DAG: custom-call({{.*}}), custom_call_target="Sharding", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  %5 = sdy.sharding_constraint %m <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  // CHECK-DAG: custom_call_target="xla.sdy.ShardingGroup"{{.*}}xla.sdy.sharding_group_id="3"
  // BACK-DAG: sdy.sharding_group {{.*}} group_id=3
  sdy.sharding_group %5 group_id=3 : tensor<8x8xf32>
  // CHECK-DAG: custom_call_target="xla.sdy.PropagationBarrier"{{.*}}xla.sdy.allowed_direction="1"
  // BACK-DAG: sdy.propagation_barrier {{.*}} allowed_direction=FORWARD
  %6 = sdy.propagation_barrier %m allowed_direction=FORWARD : tensor<8x8xf32>
  // CHECK-DAG: custom_call_target="xla.sdy.GlobalToLocalShape"
  // CHECK-DAG: (f32[4,8]{1,0}, f32[8,4]{1,0}) call({{.*}}), to_apply=%xla.sdy.manual_computation_body
  // CHECK-DAG: custom_call_target="xla.sdy.LocalToGlobalShape"
  // BACK-DAG: sdy.manual_computation({{.*}}) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {"a"}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {"a"}]>] manual_axes={"a"}
  %7:2 = sdy.manual_computation(%m, %6) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {"a"}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {"a"}]>] manual_axes={"a"} (%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
    %x = stablehlo.negate %a : tensor<4x8xf32>
    %y = stablehlo.negate %b : tensor<8x4xf32>
    sdy.return %x, %y : tensor<4x8xf32>, tensor<8x4xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  // CHECK-DAG: = f32[8,8]{1,0} call({{.*}}), to_apply=%block
  %8 = sdy.named_computation<"block">(%m) (%a: tensor<8x8xf32>) {
    %x = stablehlo.negate %a : tensor<8x8xf32>
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7#0, %7#1, %8 : tensor<4x8xf32>, tensor<16x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
