// An axis that shards state is divided in two, of which one shards it (hybrid sharded data parallelism): of a mesh
// data=16 x model=32 here, whose plans take longer.
//
// RUN: %python %S/layers.py 24 8192 32768 131072 > %t.mlir
// RUN: tess plan %t.mlir --target h100x8 --devices 512 --budget 200 | FileCheck %s
// CHECK: mesh data=4 x fsdp=4 x model=32
// CHECK: parameters: {{.*}} over fsdp
// RUN: tess plan %t.mlir --target h100x8 --devices 512 --budget 200 --json > %t.json
// RUN: tess plan %t.mlir --target h100x8 --devices 512 --mesh data=16,model=32 --budget 250 --json > %t.two.json
// RUN: %python %S/not_slower.py --share 0.98 %t.json %t.two.json
//
// A plan whose axes always come together is that of a mesh of fewer axes, whose names differ:
//
// RUN: %python %S/layers.py 24 8192 32768 262144 > %t.wide.mlir
// RUN: tess plan %t.wide.mlir --target h100x8 --devices 512 --budget 300 | FileCheck --check-prefix WIDE %s
// WIDE: mesh
