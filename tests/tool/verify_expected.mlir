// Expected outputs are compared, or it is said why not; what is infinite is null in JSON.
// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,100 out0=f4:1,1
// RUN: ! tess verify %s --inputs %t.npz --json >%t.json
// RUN: FileCheck %s <%t.json
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]), parse_constant=lambda name: 1 / 0)" %t.json
// CHECK: "against": "the expected output", "wrong": 1, "elements": 2, "max_error": null, "first": 1}

// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,1 out0=f4:1,1,1
// RUN: (! tess verify %s --inputs %t.npz 2>&1) | FileCheck %s --check-prefix=SHAPE
// SHAPE: out0 of the inputs is f32[3], the program's result is f32[2]
// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,1 out0=f8:1
// RUN: (! tess verify %s --inputs %t.npz 2>&1) | FileCheck %s --check-prefix=TYPE
// TYPE: out0 of the inputs is f64[1], the program's result is f32[2]
// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,1 out1=f4:1,1
// RUN: (! tess verify %s --inputs %t.npz 2>&1) | FileCheck %s --check-prefix=MORE
// MORE: out1 of the inputs is f32[2]: no such result

// A number has no sign.
// RUN: (! tess verify %s --arg '-1=[{"x"}]' 2>&1) | FileCheck %s --check-prefix=SIGN
// SIGN: -1=[{"x"}]: expected a number, '=' and a sharding
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  %0 = stablehlo.exponential %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
