// A plan as data: the mesh, and the sharding of each argument in sdy's words and in JAX's, the same as
// --emit jax has it (step.mlir).
// RUN: tess plan %S/step.mlir --target h100x8 --devices 8 --mesh 'a=*,b=4' --tactic 'fsdp over a; megatron over b' --emit json > %t
// RUN: %python -m json.tool %t | FileCheck %s
// CHECK: "mesh": {
// CHECK-NEXT: "a": 2,
// CHECK-NEXT: "b": 4
// CHECK: "arguments": [
// CHECK: "number": 0,
// CHECK: "sharding": "<@mesh, [{\"a\"}, {\"b\"}]>",
// CHECK-NEXT: "spec": "P(\"a\", \"b\")"
// CHECK: "number": 1,
// CHECK: "sharding": "<@mesh, [{\"b\"}, {\"a\"}]>",
// CHECK-NEXT: "spec": "P(\"b\", \"a\")"
// CHECK: "number": 2,
// CHECK: "sharding": "<@mesh, [{\"a\"}, {}]>",
// CHECK-NEXT: "spec": "P(\"a\")"
// CHECK: "constraints": [
