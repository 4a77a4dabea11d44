// What `tess partition` prints is the program of one device: it has no sdy attribute, by which other
// tools would partition it, and says in tess.global_type and tess.global_sharding what its values
// are parts of.
// REQUIRES: hlo
// RUN: tess partition %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=sdy.sharding= --implicit-check-not='sdy.sharding ='
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK: func.func @main(
// CHECK-SAME: %arg0: tensor<4xf32> {jax.buffer_donor = true, tess.global_sharding = #sdy.sharding<@mesh, [{"x"}]>, tess.global_type = tensor<8xf32>}
// CHECK-SAME: %arg1: tensor<2xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"y"}]>, tess.global_type = tensor<8xf32>}
// CHECK-SAME: %arg2: tensor<1xf32> {tess.global_type = tensor<1xf32>})
// CHECK-SAME: -> (tensor<1xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{"x", "y"}]>, tess.global_type = tensor<8xf32>}, tensor<1xf32> {tess.global_sharding = #sdy.sharding<@mesh, [{}]>, tess.global_type = tensor<1xf32>})

// Read again it is the same, and it runs and is reported as it is.
// RUN: tess opt %t.mlir | diff %t.mlir -
// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,1,2,3,4,5,6,7 in1=f4:2,2,2,2,3,3,3,3 in2=f4:5 out0=f4:5,7,9,11,17,20,23,26 out1=f4:78
// RUN: tess run %t.mlir --inputs %t.npz --outputs %t.parts.npz | FileCheck %s --check-prefix=RAN
// RUN: tess run %t.mlir --inputs %t.npz --outputs %t.every.npz --faithful | FileCheck %s --check-prefix=RAN
// RUN: tess run %s --inputs %t.npz --outputs %t.whole.npz | FileCheck %s --check-prefix=RAN
// RUN: cmp %t.whole.npz %t.parts.npz
// RUN: cmp %t.whole.npz %t.every.npz
// RUN: tess verify %t.mlir --inputs %t.npz | FileCheck %s --check-prefix=VERIFY
// RUN: tess verify %s --partitioned %t.mlir --locate | FileCheck %s --check-prefix=VERIFY
// RUN: tess report %t.mlir | FileCheck %s --check-prefix=REPORT
// RUN: tess diff %t.mlir %t.mlir | FileCheck %s --check-prefix=DIFF
// RUN: tess convert --to-hlo %t.mlir | FileCheck %s --check-prefix=HLO
// RAN: 8 devices
// RAN: out0 f32[8]
// VERIFY: 2 comparisons agree on 8 devices
// REPORT: 8 devices, mesh x=2 x y=4
// REPORT: arguments {{.*}}28 B
// REPORT-NOT: replicated
// DIFF: no difference
// HLO: num_partitions=8

// Where the whole program is wanted, it is refused.
// RUN: for c in partition shard lint "run --devices 1" verify "report --mesh x=2" "shard --arg 0=[{}]" "shard --constrain %%0=[{}]" "run --reshard-policy sdy" "opt -sdy-propagation-pipeline" "opt -sdy-basic-propagate" "opt -sdy-convert-global-to-local"; do (tess $c %t.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED || exit 1; done
// RUN: (tess verify %t.mlir --shrink; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: (tess explain %t.mlir arg:0; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: (tess explain %t.mlir --collective 0; echo status $?) 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: mlir:3:3: error[E0607]: @main is the program of one device already: it has tess.global_type; for {{.*}}, give the whole program that it was made from
// REFUSED: status 1

// Marks that do not fit.
// RUN: sed 's/tess.global_type = tensor<8xf32>/tess.global_type = tensor<16xf32>/' %t.mlir > %t.type.mlir
// RUN: (tess run %t.type.mlir --inputs %t.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: mlir:3:3: error[E0608]: argument 0: by tess.global_type and tess.global_sharding a device's part is [8], and the function has [4]
// TYPE: status 1
// RUN: sed 's/, tess.global_type = tensor<8xf32>}, %arg1/, tess.global_type = 8 : i64}, %arg1/' %t.mlir > %t.kind.mlir
// RUN: (tess report %t.kind.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error[E0608]: tess.global_type of argument 0: expected a type
// RUN: sed 's/@mesh, \[{"y"}\]/@other, [{"y"}]/' %t.mlir > %t.mesh.mlir
// RUN: (tess run %t.mesh.mlir --inputs %t.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: error[E0608]: tess.global_sharding of argument 1: expected a mesh of this program
// RUN: sed 's/@mesh, \[{"y"}\]/mesh<["y"=3]>, [{"y"}]/' %t.mlir > %t.odd.mlir
// RUN: (tess run %t.odd.mlir --inputs %t.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: sed 's/@mesh, \[{"y"}\]/@mesh, [{"z"}]/' %t.mlir > %t.axis.mlir
// RUN: (tess run %t.axis.mlir --inputs %t.npz; echo status $?) 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: error[E0{{[0-9]+}}]: {{.*}}"z"
// AXIS: status 1
// RUN: (tess verify %s --partitioned %t.type.mlir; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE

// Without what only tessera reads.
// RUN: tess partition --bare %s | FileCheck %s --check-prefix=BARE --implicit-check-not=sdy --implicit-check-not=tess.
// BARE: func.func @main(%arg0: tensor<4xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32>, %arg2: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(
    %x: tensor<8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %w: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %b: tensor<1xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
        tensor<1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.multiply %x, %w : tensor<8xf32>
  %1 = stablehlo.reshape %b : (tensor<1xf32>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.reshape %4 : (tensor<f32>) -> tensor<1xf32>
  return %3, %5 : tensor<8xf32>, tensor<1xf32>
}
