// What changed between two programs, judged on JSON; the text tells causes first.
// RUN: tess diff %s --json | FileCheck %s --check-prefix=SAME
// RUN: tess diff %s --exit-code
// RUN: (tess diff %s --arg '0=[{}, {"y"}]' --exit-code; echo status $?) | FileCheck %s --check-prefix=ARG
// RUN: tess diff %s --constrain '%%0=[{}, {"y"}]' | FileCheck %s --check-prefix=CONSTRAIN
// RUN: tess diff %s --mesh x=4,y=2 --json | FileCheck %s --check-prefix=MESH
// RUN: tess diff %s %S/Inputs/diff_later.mlir | FileCheck %s --check-prefix=LATER
// RUN: tess diff %s --result '0=[{}, {"x"}]' | FileCheck %s --check-prefix=RESULT
// RUN: (tess diff %s %s.none; echo status $?) 2>&1 | FileCheck %s --check-prefix=MISSING

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// SAME: "same": true
// ARG: annotations that differ
// ARG-NEXT: %a f32[8,8]
// ARG-NEXT: - <@mesh, [{"x"}, {}]>
// ARG-NEXT: + <@mesh, [{}, {"y"}]>
// ARG-NEXT: shardings that follow from them
// ARG-NEXT: %b f32[8,8]
// ARG: status 1
// CONSTRAIN: annotations that differ
// CONSTRAIN-NEXT: %0 is constrained in the second only
// CONSTRAIN-NEXT: + <@mesh, [{}, {"y"}]>
// CONSTRAIN-NEXT: shardings that follow from them
// MESH: "mesh": {
// MESH-NEXT: "before": "<[\"x\"=2, \"y\"=2]>",
// MESH: "figures": {
// MESH: "devices": {
// MESH-NEXT: "before": 4
// MESH-NEXT: "after": 8
// MISSING: diff.mlir.none
// MISSING: status 1

// Another argument, a larger batch, operations put in before the others: values keep their
// counterparts, though their numbers do not.
// LATER: annotations that differ
// LATER-NEXT: %b f32[16,8]
// LATER-NEXT: - <@mesh, [{"x"}, {}]>
// LATER-NEXT: + <@mesh, [{"x"}, {"y"}]>
// LATER-NEXT: shardings that follow from them
// LATER-NEXT: %a f32[16,8]
// LATER-NEXT: - <@mesh, [{"x"}, {}]>
// LATER-NEXT: + <@mesh, [{"x"}, {"y"}]>
// LATER-NEXT: %4 f32[16,8]
// LATER: %5 f32[16,8]
// LATER: 0 values only in the first, 3 only in the second
// LATER-NEXT: figures of one device

// RESULT: annotations that differ
// RESULT-NEXT: result:0 f32[8,8]
// RESULT-NEXT: - none
// RESULT-NEXT: + <@mesh, [{}, {"x"}]>

// An annotation that says what propagation finds anyway is a difference of the programs only.
// RUN: (tess diff %s --arg '1=[{"x"}, {}]' --exit-code; echo status $?) | FileCheck %s --check-prefix=NO-EFFECT
// RUN: tess diff %s --arg '1=[{"x"}, {}]' --json | FileCheck %s --check-prefix=NO-EFFECT-JSON
// NO-EFFECT: annotations that differ
// NO-EFFECT-NEXT: %b f32[8,8]
// NO-EFFECT-NEXT: - none
// NO-EFFECT-NEXT: + <@mesh, [{"x"}, {}]>
// NO-EFFECT-NEXT: no value is sharded differently
// NO-EFFECT-NEXT: memory, communication and time of one device are the same
// NO-EFFECT-NEXT: status 1
// NO-EFFECT-JSON: "same": false
// NO-EFFECT-JSON: "value": "%b",
// NO-EFFECT-JSON-NEXT: "cause": true,
// NO-EFFECT-JSON-NEXT: "before": "none"

// Figures that do not differ are told, too.
// RUN: tess diff %s --arg '0=[{"y"}, {}]' | FileCheck %s --check-prefix=EQUAL
// EQUAL: annotations that differ
// EQUAL-NEXT: %a f32[8,8]
// EQUAL: memory, communication and time of one device are the same

// A program is no other than itself, constraints within comparators included.
// RUN: tess diff %S/../exec/sort.mlir --exit-code | FileCheck %s --check-prefix=ITSELF
// ITSELF: no difference
