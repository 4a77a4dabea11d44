// Figures of the partition with Shardy's reshards beside those of our own: where a sum is over devices that
// the result is spread over, Shardy has it everywhere, and we only where it is wanted.
// RUN: tess report %s | FileCheck %s --check-prefix=COST
// COST: reduce_scatter {{.*}} 32.8 kB
// COST: time of one step, predicted for tessera's partition
// RUN: tess report %s --reshard-policy sdy | FileCheck %s --check-prefix=SDY
// SDY: all_reduce {{.*}} 32.8 kB
// SDY: time of one step, predicted for a partition with Shardy's reshards
// RUN: tess report %s --reshard-policy sdy --json | FileCheck %s --check-prefix=JSON
// JSON: "reshards": "sdy"
// Both side by side.
// RUN: tess diff %s --reshard-policy sdy | FileCheck %s --check-prefix=DIFF
// DIFF: reduce_scatter over x: 1 -> 0
// RUN: tess lint %s --reshard-policy sdy
// RUN: tess explain %s --collective 0 --reshard-policy sdy | FileCheck %s --check-prefix=WHY
// WHY: collective 0: all_to_all over x
// RUN: tess advise %s --reshard-policy sdy | FileCheck %s --check-prefix=ADVICE
// ADVICE: as it is: step
// RUN: ! tess report %s --reshard-policy best 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: --reshard-policy best: expected cost or sdy

sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<16x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x1024xf32>, tensor<1024x512xf32>) -> tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}
