// Propagation, partitioning and reports of one small program, annotated on the command line.
// RUN: tess shard %s --mesh x=2,y=2 --arg '0=[{"x"}, {}]' --arg '1=[{}, {"y"}]' | FileCheck %s --check-prefix=SHARD
// RUN: tess partition %s --mesh x=2,y=2 --arg '0=[{"x"}, {}]' --arg '1=[{}, {"y"}]' | FileCheck %s --check-prefix=LOCAL
// RUN: tess partition %s --mesh x=4 --arg '0=[{}, {"x"}]' --arg '1=[{"x"}, {}]' | FileCheck %s --check-prefix=SUM
// RUN: tess partition %s --mesh x=2,y=2 --arg '0=[{"x"}, {}]' --json | FileCheck %s --check-prefix=JSON
// RUN: tess report %s --mesh x=4 --arg '0=[{}, {"x"}]' --arg '1=[{"x"}, {}]' | FileCheck %s --check-prefix=REPORT
// RUN: tess report %s --mesh x=4 --arg '0=[{}, {"x"}]' --html %t.html --json > %t.json
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: %python -m json.tool %t.json > %t.pretty
// RUN: tess lint %s --mesh x=4 --json | %python -m json.tool > %t.pretty
// RUN: tess lint %s --mesh x=4 --sarif | %python -m json.tool > %t.pretty

func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %c = stablehlo.dot %a, %b : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// SHARD: sdy.mesh @mesh = <["x"=2, "y"=2]>
// SHARD: %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// SHARD: %c = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}

// LOCAL: stablehlo.dot %arg0, %arg1 : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
// LOCAL-NOT: all_

// SUM: stablehlo.dot %arg0, %arg1 : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
// SUM: "stablehlo.all_reduce"

// JSON: {"devices": 4, "operations": {{[0-9]+}}, "replicated": 0}

// REPORT: 4 devices, mesh x=4
// REPORT: over x: 1 collective,

// HTML: <!doctype html>

// RUN: (tess shard %s --mesh x=2 --arg '0=[{"z"}, {}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: argument:1:3: error
// AXIS: [{"z"}, {}]
// AXIS: status 1
// RUN: (tess shard %s --arg '0=[{"x"}, {}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: give one with --mesh
// RUN: (tess shard %s --mesh x=2 --arg '7=[{"x"}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: there is no argument 7; @main has 2
// RUN: (tess shard %s --mesh x=2 --arg 'x=[{"x"}]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: there is no value 'x' in @main
// NAME: status 1
