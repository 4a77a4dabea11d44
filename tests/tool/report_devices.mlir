// A machine with fewer devices than the table says: a part of a node, or a torus of that size.

// RUN: tess report %s --target v5e --devices 16 --json | FileCheck %s --check-prefix=SMALL
// RUN: tess report %s --target v5e --json | FileCheck %s --check-prefix=LARGE
// RUN: (tess report %s --target v5e --devices 8; echo status $?) 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: the program is for 16 devices, but the machine has 8
// FEW: status 2

// 4 MB from each of 16: around one ring of the 16 x 16 torus, 15 x 4194304 B at 0.85 of 90e9 B/s and 8
// steps of 1 us; on a torus of 4 x 4 both axes are used, at twice the bandwidth, in 4 steps.
// LARGE: "communication": {
// LARGE: "seconds": 0.00083{{[0-9]*}}
// SMALL: "communication": {
// SMALL: "seconds": 0.00041{{[0-9]*}}

// A mesh that is one device:
// RUN: sed 's/<\["x"=16\]>/<[], device_ids=[3]>/; s/, \[{[^]]*\]>/, []>/g' %s | tess report - | FileCheck %s --check-prefix=ONE
// ONE: on h100x8, 4 devices, all on device 3
sdy.mesh @mesh = <["x"=16]>
func.func @main(%a: tensor<16384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16384x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  return %a : tensor<16384x1024xf32>
}
