// An artifact has VHLO's types for MLIR's own: those that VHLO lacks are an error.
// RUN: echo 'func.func @main(%%arg0: tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>) { return }' > %t.sparse
// RUN: ! tess convert %t.sparse --to artifact 2>&1 | FileCheck %s --check-prefix=SPARSE
// SPARSE: :1:1: error[E0114]: StableHLO's portable artifacts have no type tensor<4xf32, #sparse_tensor.encoding<{
// RUN: tess convert %t.sparse --to bytecode | tess opt - | FileCheck %s --check-prefix=PLAIN
// PLAIN: tensor<4xf32, #sparse_tensor.encoding<{
// RUN: echo 'func.func @main(%%arg0: vector<4xf32>) { return }' > %t.vector
// RUN: ! tess convert %t.vector --to artifact 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error[E0114]: StableHLO's portable artifacts have no type vector<4xf32>

// So are operations of func and StableHLO that VHLO lacks, and strings with types.
// RUN: echo 'func.func @g() { return } func.func @main() { %%0 = func.constant @g : () -> () return }' > %t.constant
// RUN: ! tess convert %t.constant --to artifact 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error[E0114]: StableHLO's portable artifacts have no operation func.constant
// RUN: echo 'func.func @main(%%arg0: tensor<f32>) { %%0 = "stablehlo.custom_call"(%%arg0) { call_target_name = "foo" : tensor<3xf32> } : (tensor<f32>) -> tensor<f32> return }' > %t.string
// RUN: ! tess convert %t.string --to artifact 2>&1 | FileCheck %s --check-prefix=STRING
// STRING: error[E0114]: StableHLO's portable artifacts have no attribute such as a string with a type

// Types of other dialects stand in it as they are, and booleans without elements are no bytes, as one
// for all too.
// RUN: tess convert %s --to artifact | tess opt - | FileCheck %s
// CHECK: func.func @main(%arg0: !shape.shape, %arg1: tensor<2x!shape.size>) -> (!shape.shape, tensor<0xi1>)
// CHECK: stablehlo.constant dense<> : tensor<0xi1>
func.func @main(%arg0: !shape.shape, %arg1: tensor<2x!shape.size>) -> (!shape.shape, tensor<0xi1>) {
  %0 = stablehlo.constant dense<false> : tensor<0xi1>
  return %arg0, %0 : !shape.shape, tensor<0xi1>
}
