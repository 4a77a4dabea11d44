// Two cores are as fast for two devices as for eight, so the bound is the same, whatever number of devices the program
// was written for.
//
// RUN: echo "two like=cpu cores=2" > %t.two
// RUN: tess plan %s --target %t.two --devices 2 --json > %t.2.json
// RUN: tess plan %s --target %t.two --devices 8 --json > %t.8.json
// RUN: sed 's/ attributes {.*{$/ {/' %s > %t.none.mlir
// RUN: tess plan %t.none.mlir --target %t.two --devices 8 --json > %t.none.json
// RUN: FileCheck %s < %t.2.json
// RUN: FileCheck %s < %t.8.json
// RUN: FileCheck %s < %t.none.json
// 2 x 1024^3 operations at 140e9/s on each of two cores:
// CHECK: "bound_seconds": 0.0076695

module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
}
