// Arguments are named by their own paths, not by those of the results that replace them, and layers keep their
// numbers where their shardings differ.
//
// RUN: tess plan %s --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit specs | FileCheck %s
// CHECK: params['layers'][*]['a']  P
// CHECK-NEXT: params['layers'][0]['b']  P({{.+}})
// CHECK-NEXT: params['layers'][1]['b']  P(None, {{.+}})
// CHECK-NEXT: x  P(
// CHECK-NOT: result
//
// RUN: tess plan %s --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit json \
// RUN:   | FileCheck %s --check-prefix=JSON
// JSON: "place": "params['layers'][*]['a']"
// JSON: "place": "params['layers'][1]['b']"
//
// Where only results are named:
//
// RUN: sed 's/ loc([^)]*)//g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit specs \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RESULT: result[0]['layers'][*]['a']  P
// RESULT: arg:4  P

func.func @main(
    %a0: tensor<4096x4096xf32> {tf.aliasing_output = 0 : i32} loc("params['layers'][0]['a']"),
    %b0: tensor<4096x4096xf32> {tf.aliasing_output = 1 : i32} loc("params['layers'][0]['b']"),
    %a1: tensor<4096x4096xf32> {tf.aliasing_output = 2 : i32} loc("params['layers'][1]['a']"),
    %b1: tensor<1x4096xf32> {tf.aliasing_output = 3 : i32} loc("params['layers'][1]['b']"),
    %x: tensor<4096x4096xf32> loc("x"))
    -> (tensor<4096x4096xf32> {jax.result_info = "result[0]['layers'][0]['a']"},
        tensor<4096x4096xf32> {jax.result_info = "result[0]['layers'][0]['b']"},
        tensor<4096x4096xf32> {jax.result_info = "result[0]['layers'][1]['a']"},
        tensor<1x4096xf32> {jax.result_info = "result[0]['layers'][1]['b']"}) {
  %0 = stablehlo.dot_general %x, %a0, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %1 = stablehlo.tanh %0 : tensor<4096x4096xf32>
  %2 = stablehlo.dot_general %1, %b0, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %3 = stablehlo.dot_general %2, %a1, contracting_dims = [1] x [0] : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %4 = stablehlo.add %a0, %3 : tensor<4096x4096xf32>
  %5 = stablehlo.add %b0, %3 : tensor<4096x4096xf32>
  %6 = stablehlo.add %a1, %3 : tensor<4096x4096xf32>
  %7 = stablehlo.add %b1, %b1 : tensor<1x4096xf32>
  return %4, %5, %6, %7 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<1x4096xf32>
}
