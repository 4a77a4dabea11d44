// The mesh of a program is what its shardings use, not the first that is declared.
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir | FileCheck %s --check-prefix=SCALAR
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --json | FileCheck %s --check-prefix=JSON
// RUN: tess lint %S/Inputs/which_mesh/scalar.mlir --large 1 | FileCheck %s --check-prefix=LINT
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --arg '1=[{"data"}, {}]' --constrain '%%0=[{}, {"model"}]' | FileCheck %s --check-prefix=CHANGED
// RUN: tess explain %S/Inputs/which_mesh/scalar.mlir %%0 --axis data | FileCheck %s --check-prefix=AXIS
// RUN: tess report %S/Inputs/which_mesh/alone.mlir | FileCheck %s --check-prefix=ALONE
// RUN: tess report %S/Inputs/which_mesh/callback.mlir | FileCheck %s --check-prefix=CALLBACK
// RUN: tess report %S/Inputs/which_mesh/device.mlir --json | FileCheck %s --check-prefix=DEVICE
// RUN: tess report %S/Inputs/which_mesh/unused.mlir | FileCheck %s --check-prefix=UNUSED
// RUN: tess report %S/Inputs/which_mesh/two.mlir | FileCheck %s --check-prefix=TWO
// RUN: tess report %S/Inputs/which_mesh/two.mlir --json | FileCheck %s --check-prefix=TWO-JSON
// RUN: tess shard %S/Inputs/which_mesh/two.mlir --table | FileCheck %s --check-prefix=TABLE
// RUN: tess shard %S/Inputs/which_mesh/scalar.mlir --table | FileCheck %s --check-prefix=ONE
// RUN: tess report %S/Inputs/which_mesh/two.mlir --arg '0=[{"row"}, {}]' | FileCheck %s --check-prefix=ROWS
// RUN: tess report %S/Inputs/which_mesh/two.mlir --arg '0=<@rows, [{"row"}, {}]>' | FileCheck %s --check-prefix=ROWS
// RUN: tess report %S/Inputs/which_mesh/two.mlir --arg '1=[{"a"}, {}]' | FileCheck %s --check-prefix=COLUMNS
// RUN: ! tess report %S/Inputs/which_mesh/two.mlir --arg '0=[{"none"}, {}]' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --mesh data=2,model=4 2>&1 | FileCheck %s --check-prefix=REPLACED
// RUN: tess shard %S/Inputs/which_mesh/scalar.mlir --mesh data=2,model=4 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --mesh data=4,model=2 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --mesh data=3,model=2 2>&1 | FileCheck %s --check-prefix=DIVIDED
// RUN: tess report %S/Inputs/which_mesh/scalar.mlir --mesh data=3,model=2 --arg '1=[{}, {"model"}]' 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: tess report %S/Inputs/which_mesh/two.mlir --mesh a=2,b=4 2>&1 | FileCheck %s --check-prefix=OF-TWO
// RUN: tess report %S/Inputs/which_mesh/alone.mlir --mesh x=2 2>&1 | FileCheck %s --check-prefix=ADDED
// RUN: tess verify %S/Inputs/which_mesh/scalar.mlir
// RUN: tess verify %S/Inputs/which_mesh/two.mlir
// RUN: tess verify %S/Inputs/which_mesh/unused.mlir

// SCALAR: 8 devices, mesh data=4 x model=2
// SCALAR-NOT: other mesh
// SCALAR: over data: 1 collective
// JSON: "devices": 8
// JSON-NEXT: "mesh": {
// JSON-NEXT: "data": 4
// JSON-NEXT: "model": 2
// JSON: "meshes": [
// JSON-NEXT: {
// JSON-NEXT: "name": "mesh",
// JSON-NEXT: "devices": 8
// JSON: "axes": "data"
// LINT: {{warning.L3.}}: axis "model" of size 2 shards nothing
// CHANGED: 8 devices, mesh data=4 x model=2
// AXIS: %0 dim 0: from %arg1 dim 0
// REPLACED: 8 devices, mesh data=2 x model=4
// REPLACED: remark{{.*}}<["data"=2, "model"=4]> replaces the mesh @mesh <["data"=4, "model"=2]> of the program
// TEXT: sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
// SAME-NOT: replaces
// DIVIDED: 6 devices, mesh data=3 x model=2
// DIVIDED: warning{{.*}}argument 1 is sharded <@mesh, [{"data"}, {}]>: dimension 0 of size 16 does not divide into 3 shards on this mesh
// AGAIN: 6 devices
// AGAIN-NOT: warning
// OF-TWO: mesh a=2 x b=4
// OF-TWO: replaces the mesh @mesh <["a"=4, "b"=2]> of the program
// OF-TWO-NEXT: note: the program's other mesh @rows <["row"=8]> stays
// ADDED: 2 devices, mesh x=2
// ADDED-NOT: replaces

// ALONE: , 1 device
// ALONE-NEXT: no mesh: try one with

// CALLBACK: 4 devices, mesh x=4
// CALLBACK-NOT: other mesh

// DEVICE: "devices": 1
// DEVICE: "meshes": [
// DEVICE-NEXT: {
// DEVICE-NEXT: "name": "maximal_mesh_0"

// UNUSED: 2 devices, mesh x=2
// UNUSED-NOT: other mesh

// TWO: 8 devices, mesh a=4 x b=2
// TWO-NEXT: other mesh: row=8 (@rows) over the same devices
// ROWS: 8 devices, mesh row=8
// ROWS-NOT: other mesh
// COLUMNS: 8 devices, mesh a=4 x b=2
// COLUMNS-NOT: other mesh
// TWO-JSON: "meshes": [
// TWO-JSON-NEXT: {
// TWO-JSON-NEXT: "name": "mesh",
// TWO-JSON: "name": "rows",
// TWO-JSON-NEXT: "devices": 8
// TWO-JSON: "row": 8
// TABLE: value
// TABLE: result:1
// TABLE: meshes: @mesh a=4 x b=2; @rows row=8
// ONE-NOT: meshes:
// OTHER: {{error.E0214.}}: unknown axis "none"
// OTHER: note: the program has other meshes, too: @mesh <["a"=4, "b"=2]>
