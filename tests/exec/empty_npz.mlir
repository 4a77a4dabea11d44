// A program without arguments and results: its archives are NumPy's archives without arrays, which
// are the 22 bytes of the end of an archive.
// RUN: rm -f %t.npz
// RUN: tess run %s --outputs %t.npz
// RUN: od -An -tx1 -v %t.npz | FileCheck %s
// RUN: tess run %s --inputs %t.npz
// CHECK: 50 4b 05 06 00 00 00 00 00 00 00 00 00 00 00 00
// CHECK-NEXT: {{^}} 00 00 00 00 00 00{{$}}
func.func @main() {
  return
}
