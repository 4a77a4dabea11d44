// Why a value is sharded, step by step, and why not: judged on JSON, not on English.
// RUN: (tess explain %s arg:0 --dim 7; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-DIM
// NO-DIM: 'arg:0' has no dimension 7
// NO-DIM: status 1
// RUN: (tess explain %s arg:0 --axis q; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-AXIS
// NO-AXIS: the mesh has no axis "q"; it is <[
// NO-AXIS: status 1
// RUN: tess explain %s --json 2 | FileCheck %s --check-prefix=FOUR
// RUN: tess explain %s --json %%a | FileCheck %s --check-prefix=A
// RUN: tess explain %s --json %%0 | FileCheck %s --check-prefix=ZERO
// RUN: tess explain %s --json c | FileCheck %s --check-prefix=C
// RUN: tess explain %s --json result:0 | FileCheck %s --check-prefix=OUT
// RUN: tess explain %s --json "params['b']" | FileCheck %s --check-prefix=NAMED
// RUN: tess explain %s 0 | FileCheck %s --check-prefix=TEXT
// RUN: tess explain %s --json --collective 0 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: tess explain %s --collective 0 | FileCheck %s --check-prefix=MOVES
// RUN: (tess explain %s --collective 99; echo status $?) 2>&1 | FileCheck %s --check-prefix=TOO-MANY
// RUN: (tess explain %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// RUN: (tess explain %s nothing; echo status $?) 2>&1 | FileCheck %s --check-prefix=NOTHING

sdy.mesh @mesh = <["x"=2, "y"=3]>

func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>} loc("params['b']"),
                %c: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"x"}>}) -> tensor<4x4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.add %0, %c : tensor<8x4xf32>
  %2 = stablehlo.slice %1 [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// FOUR: "value": "%2"
// FOUR: "cause": "operation"
// FOUR-NEXT: "value": "%2"
// FOUR-NEXT: "dim": 0
// FOUR-NEXT: "from": "%1"
// FOUR-NEXT: "from_dim": 0
// FOUR-NEXT: "operation": "stablehlo.slice"
// FOUR: "from": "%0"
// FOUR: "from": "%a"
// FOUR: "cause": "annotated"
// FOUR-NEXT: "value": "%a"
// FOUR-NEXT: "dim": 0

// A: "sharding": "<@mesh, [{\"x\"}, {}]>"
// A: "refused": [
// A: "dim": 1
// A-NEXT: "axes": [
// A-NEXT: "\"y\""
// A-NEXT: ]
// A-NEXT: "reason": "closed"
// A-NEXT: "neighbour": "%b"

// ZERO: "from": "%a"
// ZERO: "refused": [
// ZERO: "dim": 1
// ZERO-NEXT: "axes": [
// ZERO-NEXT: "\"x\""
// ZERO-NEXT: ]
// ZERO-NEXT: "reason": "used"

// C: "axes": []
// C: "reason": "replicated"

// OUT: "value": "%2"
// NAMED: "value": "%b"

// TEXT: %0 f32[8,4]
// TEXT: over "x"
// TEXT-NEXT: %0 dim 0: from %a dim 0 through dot
// TEXT-NEXT: %a dim 0: annotated in the program, argument 0

// NOTHING: error[E0902]: there is no value 'nothing'
// NOTHING: status 1

// TOO-MANY: error[E0902]: there is no collective 99; the program has {{[0-9]+}}
// TOO-MANY: status 1
// NO-VALUE: a VALUE is missing, or --collective N
// NO-VALUE: status 2

// COLLECTIVE: "op": "stablehlo.all_gather"
// COLLECTIVE: "axes": "x, y"
// COLLECTIVE: "moves": "%b",
// COLLECTIVE-NEXT: "from": "[{\"y\"}, {\"x\"}]",
// COLLECTIVE-NEXT: "to": "[{}, {}]",
// COLLECTIVE-NEXT: "for": "stablehlo.dot",
// COLLECTIVE-NEXT: "gives": "%0",
// COLLECTIVE: "wants": {
// COLLECTIVE: "reason": "used"

// MOVES: collective 0: all_gather over x, y
// MOVES-NEXT: moves %b f32[6,4], an argument
