// Two programs side by side: the text is that of `tess diff`, the page has both and what differs.
// RUN: tess report %s %S/Inputs/nothing_to_gain.mlir > %t.report; tess diff %s %S/Inputs/nothing_to_gain.mlir | diff - %t.report
// RUN: tess report %S/../plan/mistakes/embedding.mlir %S/../plan/mistakes/embedding_right.mlir --target h100x8 --html %t.html > %t.txt
// RUN: %python %S/check_both.py tess %S/../plan/mistakes/embedding.mlir %S/../plan/mistakes/embedding_right.mlir %t.html
// RUN: tess diff %S/../plan/mistakes/embedding.mlir %S/../plan/mistakes/embedding_right.mlir --target h100x8 --html - | cmp - %t.html
// RUN: (! tess report %s %s --advise 2>&1) | FileCheck %s --check-prefix=ONE
// ONE: --devices and --advise need a single FILE

// What to change stands first, if it is asked for; a page of a small program has it in any case.
// RUN: tess report %S/../plan/mistakes/embedding.mlir --target h100x8 --advise | FileCheck %s --check-prefix=ADVISE
// ADVISE: a step takes
// ADVISE: what to change
// ADVISE: 1. constrain %6 f32[64,1024,2048] over "data"
// ADVISE: memory of one device
// RUN: tess report %S/../plan/mistakes/embedding.mlir --target h100x8 --html %t.one | FileCheck %s --check-prefix=NONE
// NONE-NOT: what to change
// RUN: tess report %S/../plan/mistakes/embedding.mlir --target h100x8 --html - | FileCheck %s --check-prefix=PAGE
// PAGE: const GIVEN = {"title":
// PAGE-SAME: "function":"sgd"
// PAGE-SAME: "advice":[{"kind":"constrain","title":"constrain %6 f32[64,1024,2048] over \"data\""
// RUN: (! tess report %S/Inputs/no_mesh.mlir --advise 2>&1) | FileCheck %s --check-prefix=MESH
// MESH: the program has no mesh
// RUN: tess report %S/Inputs/no_mesh.mlir --html %t.html | FileCheck %s --check-prefix=QUIET --implicit-check-not=error
// QUIET: memory of one device
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x8xf32> {
  %0 = stablehlo.tanh %a : tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
