// REQUIRES: hlo
// RUN: (tess partition %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: sed 's/cosine %g/cosine %b/; s/-> (tensor<16xf32>, tensor<16xf32>)/-> (tensor<16xf32>, tensor<2xf32>)/; s/return .*/return %g, %m : tensor<16xf32>, tensor<2xf32>/' %s > %t.leaves && (tess partition %t.leaves; echo status $?) 2>&1 | FileCheck %s --check-prefix=LEAVES
// RUN: sed 's/cosine %g/cosine %b/; s/%b: tensor<16xf32> {.*}) -> /%b: tensor<16xf32>) -> /; s/%hs = .*//; s/(%hs)/(%b)/' %s > %t.unmarked && (tess shard %t.unmarked; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNMARKED
// RUN: sed 's/(%hs)/(%m)/; s/(tensor<16xf32>) -> tensor<2xf32> .. second/(tensor<2xf32>) -> tensor<2xf32>/' %s > %t.nested && (tess run %t.nested; echo status $?) 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: sed 's/cosine %g/cosine %b/; s/tensor<2xf32>/tensor<4xf32>/g' %s > %t.shape && (tess report %t.shape; echo status $?) 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: sed 's/mhlo.sharding = /mhlo.other = /g' %s > %t.untold && (tess partition %t.untold; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNTOLD
// RUN: (tess shard %t.untold; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNTOLD
// A manual region that no manual computation can be is refused where it stands.

// AGAIN: gspmd_refused.mlir:[[#@LINE+16]]:{{[0-9]+}}: error[E0852]: what leaves this manual region comes into it again
// AGAIN: status 1
// LEAVES: leaves:[[#@LINE+13]]:{{[0-9]+}}: error[E0852]: this value of one device leaves its manual region without @SPMDShardToFullShape
// LEAVES: status 1
// UNMARKED: unmarked:[[#@LINE+16]]:{{[0-9]+}}: error[E0852]: nothing says how the operand of @SPMDFullToShardShape is sharded
// UNMARKED: status 1
// NESTED: nested:[[#@LINE+14]]:{{[0-9]+}}: error[E0852]: this manual region is inside another
// NESTED: status 1
// SHAPE: error[E0408]: 'sdy.manual_computation' op operand 0 has the local type tensor<4xf32>, but its sharding makes it tensor<2xf32>
// SHAPE: status 1
// UNTOLD: untold:[[#@LINE+4]]:{{[0-9]+}}: error[E0852]: calling @SPMDFullToShardShape is a word to another partitioner
// UNTOLD: status 1

func.func @main(%a: tensor<16xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}, %b: tensor<16xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) -> (tensor<16xf32>, tensor<16xf32>) {
  %l = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<2xf32>
  %m = stablehlo.tanh %l : tensor<2xf32>
  %o = stablehlo.custom_call @SPMDShardToFullShape(%m) {mhlo.sharding = "{devices=[8]<=[8]}"} : (tensor<2xf32>) -> tensor<16xf32>
  %g = stablehlo.sine %o : tensor<16xf32>
  %h = stablehlo.cosine %g : tensor<16xf32>
  %hs = stablehlo.custom_call @Sharding(%h) {mhlo.sharding = "{devices=[8]<=[8]}"} : (tensor<16xf32>) -> tensor<16xf32>
  %k = stablehlo.custom_call @SPMDFullToShardShape(%hs) {mhlo.sharding = "{manual}"} : (tensor<16xf32>) -> tensor<2xf32> // second
  %n = stablehlo.add %k, %m : tensor<2xf32>
  %out = stablehlo.custom_call @SPMDShardToFullShape(%n) {mhlo.sharding = "{devices=[8]<=[8]}"} : (tensor<2xf32>) -> tensor<16xf32>
  return %g, %out : tensor<16xf32>, tensor<16xf32>
}
