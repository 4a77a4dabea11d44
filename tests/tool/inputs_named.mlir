// An error about a file of inputs names the array, and says what is there in the place of what is wanted.

// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:1,2,3,4 in1=f4:1,2,3,4 && tess run %s --inputs %t.npz

// RUN: sed 's/<f4/>f4/' %t.npz >%t.order.npz && (! tess run %s --inputs %t.order.npz 2>&1) | FileCheck %s --check-prefix=ORDER
// ORDER: error[E0003]: {{.*}}.order.npz: in0: elements of the type '>f4' are not supported: {{.*}}, little-endian
// RUN: sed 's/NUMPY/NUMPI/' %t.npz >%t.magic.npz && (! tess run %s --inputs %t.magic.npz 2>&1) | FileCheck %s --check-prefix=MAGIC
// MAGIC: error[E0003]: {{.*}}.magic.npz: in0: it is not an .npy array

// RUN: head -c 200 %t.npz >%t.cut.npz && (! tess run %s --inputs %t.cut.npz 2>&1) | FileCheck %s --check-prefix=CUT
// CUT: error[E0003]: {{.*}}.cut.npz: the list of arrays at the end of the .npz file is missing: the file was cut short
// RUN: (! tess run %s --inputs /dev/null 2>&1) | FileCheck %s --check-prefix=EMPTY
// EMPTY: error[E0003]: /dev/null: the file is empty

// RUN: %python %S/Inputs/npz.py %t.x.npz x=f4:1,2,3,4 y=f4:1,2,3,4 && (! tess run %s --inputs %t.x.npz 2>&1) | FileCheck %s --check-prefix=NAMES
// NAMES: the function takes 2 arguments; the inputs have x and lack in0: the arrays of arguments must be named in0, in1, …
// RUN: %python %S/Inputs/npz.py %t.one.npz in0=f4:5,6,7,8 && (! tess run %s --inputs %t.npz,%t.one.npz 2>&1) | FileCheck %s --check-prefix=TWICE
// TWICE: the inputs have two arrays named in0

func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
