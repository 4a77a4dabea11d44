// The products that widen are divided by columns and rows, everything else by the batch.
//
// RUN: tess plan %S/../../examples/gpt_step.mlir --target h100x8 --devices 8 --mesh data=2,model=4 \
// RUN:   --tactic 'data over data; megatron-mlp over model' --emit specs | FileCheck %s
// CHECK: ['attention_out']  P()
// CHECK: ['down']  P("model")
// CHECK: ['qkv']  P()
// CHECK: ['up']  P(None, "model")
// CHECK: tokens  P(("data", "model"))
