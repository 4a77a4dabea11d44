// RUN: tess convert --to-hlo %s | FileCheck %s
// RUN: tess convert --to-hlo %s > %t && tess hlo %t > %t.again && diff %t %t.again
// RUN: tess convert %t | FileCheck %s --check-prefix=BACK

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK: HloModule main, {{.*}}frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2, "y"=2]>}}
// BACK: sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: %region.{{[0-9]+}} (Arg
// CHECK: ROOT %add.{{[0-9]+}} = f32[] add(

// CHECK: %helper.{{[0-9]+}} (
// CHECK: ROOT %tuple{{.*}} = (f32[4,8]{1,0}, f32[4]{0}) tuple(
func.func private @helper(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %arg0, %sum : tensor<4x8xf32>, tensor<4xf32>
}

// What a loop takes from outside is carried along; constants are made anew.
// CHECK: (s32[], f32[4])) -> (s32[], f32[4]) {
// CHECK: (s32[], f32[4])) -> pred[] {
// CHECK: constant(3)

// CHECK: ENTRY %main
// CHECK: f32[4,8]{1,0} parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}, frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}, {}]>"}
// BACK: func.func @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
func.func @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1x8xf32>, %arg2: tensor<i1>) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<4xf32>) {
  // CHECK-DAG: (f32[4,8]{1,0}, f32[4]{0}) call({{.*}}to_apply=%helper
  // BACK-DAG: call @helper
  %0:2 = func.call @helper(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  // A dimension of 1 that is stretched is dropped first.
  // CHECK-DAG: f32[8]{0} reshape(
  // CHECK-DAG: f32[4,8]{1,0} broadcast({{.*}}dimensions={1}
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: custom_call_target="Sharding", sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  // BACK-DAG: sdy.sharding_constraint {{.*}} <@mesh, [{}, {"y"}]>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  // CHECK-DAG: pred[4,8]{1,0} broadcast({{.*}}dimensions={}
  // CHECK-DAG: select(
  %3 = stablehlo.select %arg2, %0#0, %2 : tensor<i1>, tensor<4x8xf32>
  // CHECK-DAG: while({{.*}}condition={{.*}}body=
  // BACK-DAG: stablehlo.while
  %start = stablehlo.constant dense<0> : tensor<i32>
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %4 = stablehlo.while(%i = %start) : tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %first = stablehlo.slice %0#1 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %as_int = stablehlo.convert %first : (tensor<1xf32>) -> tensor<1xi32>
    %scalar = stablehlo.reshape %as_int : (tensor<1xi32>) -> tensor<i32>
    %more = stablehlo.maximum %scalar, %one : tensor<i32>
    %next = stablehlo.add %i, %more : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  // CHECK-DAG: conditional({{.*}}true_computation={{.*}}false_computation=
  // BACK-DAG: "stablehlo.if"
  %5 = "stablehlo.if"(%arg2) ({
    stablehlo.return %0#1 : tensor<4xf32>
  }, {
    %row = stablehlo.negate %0#1 : tensor<4xf32>
    stablehlo.return %row : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK-DAG: opt-barrier(
  %6:2 = stablehlo.optimization_barrier %3, %5 : tensor<4x8xf32>, tensor<4xf32>
  // An operation that HLO has not goes through as a call by its name.
  // CHECK-DAG: custom_call_target="chlo.atan"
  // BACK-DAG: chlo.atan
  %7 = chlo.atan %6#0 : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK-DAG: custom_call_target="xla.sdy.FuncResultSharding"
  // CHECK: ROOT %tuple
  return %7, %6#1 : tensor<4x8xf32>, tensor<4xf32>
}
