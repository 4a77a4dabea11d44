// What is replicated alike is one line of a report; a program without a mesh is told what to try.
// RUN: tess report %s --mesh x=2 --arg '0=[{}, {}]' | FileCheck %s
// RUN: tess report %s | FileCheck %s --check-prefix=NO-MESH
// What is less than the machine's memory by our figure, and more by the upper end, may not fit.
// RUN: echo "tight like=cpu memory=1200" > %t; tess report %s --mesh x=2 --target %t --arg '0=[{}, {"x"}]' --result '0=[{}, {}]' | FileCheck %s --check-prefix=TIGHT
// RUN: echo "tight like=cpu memory=800" > %t; tess report %s --mesh x=2 --target %t --arg '0=[{}, {"x"}]' --result '0=[{}, {}]' | FileCheck %s --check-prefix=FULL

func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = stablehlo.cosine %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// CHECK: largest replicated tensors
// CHECK-NEXT: 512 B on 2 devices %a f32[8,16] <@mesh, [{}, {}]>
// CHECK-NEXT: 512 B on 2 devices 2 x %0, … f32[8,16] {{.*}}, by tanh
// CHECK-NOT: on 2 devices

// NO-MESH: on h100x8, 1 device
// NO-MESH-NEXT: no mesh: try one with --mesh

// TIGHT: peak 1.02 kB of 1.20 kB (85.3 %: may not fit)
// FULL: peak 1.02 kB of 800 B (128.0 %: does not fit)
