// Among the plans of one tactic is the plan itself, and none that decides something otherwise, though one would be
// faster.
// RUN: tess plan %s --devices 8 --tactic 'fsdp over data; megatron over model' --json | FileCheck %s --check-prefix=PLANS
// PLANS: "frontier": [
// PLANS-NOT: then changed
// PLANS: "chosen": true
// PLANS-NOT: then changed
// RUN: (! tess plan %s --devices 8 --tactic 'fsdp over data; megatron over model' --limit 100B --json) | FileCheck %s --check-prefix=SMALL
// SMALL: "fits": false
// SMALL-NOT: then changed

func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.cosine %0 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
