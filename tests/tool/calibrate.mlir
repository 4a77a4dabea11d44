// A machine is fitted to measurements that follow from its data sheet with other constants, by hand
// (Inputs/measured.txt): these constants are found, and what was not measured stays.

// RUN: tess report --calibrate %S/Inputs/measured.txt --target h100 > %t.row
// RUN: FileCheck %s < %t.row
// CHECK: # product: measured 0.00224 s, now predicted 0.0022{{[34]}} s ({{[+-]}}0 %)
// CHECK: # launch: measured 4e-06 s
// CHECK: # all_reduce: measured 0.00521 s, now predicted 0.005{{[0-9]*}} s ({{[+-]}}0 %)
// CHECK: calibrated like=h100x8 product_efficiency=0.{{499|50}}{{[0-9]*}} memory_efficiency=0.{{79|80}}{{[0-9]*}} launch={{3.9|4|4.0}}{{[0-9]*}}e-06 link_efficiency=0.{{59|60}}
// CHECK-NOT: far_efficiency

// What it prints is a table.
// RUN: (cat %S/Inputs/machines.txt; cat %t.row) > %t.table
// RUN: tess report %s --target %t.table:calibrated | FileCheck %s --check-prefix=USED
// USED: on calibrated

// A copy that fits into a cache is as fast as that: with 0.8 of both speeds, 2 * 1e5 B at 0.8 of 20e9 B/s take 12.5 us, and
// 2 * 1e8 B at 0.8 of 10e9 B/s take 25 ms, besides 2 us to start each.
// RUN: echo "copy bytes=1e5 seconds=14.5e-6" > %t.copies
// RUN: echo "copy bytes=1e8 seconds=25.002e-3" >> %t.copies
// RUN: tess report --calibrate %t.copies --target cpu | FileCheck %s --check-prefix=CACHED
// CACHED: copy: measured 1.45e-05 s, now predicted 1.45e-05 s
// CACHED: copy: measured 0.025 s, now predicted 0.025 s
// CACHED: calibrated like=cpu memory_efficiency=0.{{8|79}}

// Eight devices that share two cores reach 0.4 of 175e9 / 4 FLOP/s in large products, half of that with 32 rows and
// 512 / 544 of it with 512 (docs/costs.md), besides four times 2 us to start each. A message of 8 bytes takes 4 * (6 + 6) us, and
// no turns of cores, since nothing is computed between two of them.
// RUN: echo "shared like=cpu cores=2" > %t.shared
// RUN: echo "product m=32 n=512 k=512 type=f32 at_once=8 seconds=1.9254e-3" > %t.measured
// RUN: echo "product m=512 n=512 k=512 type=f32 at_once=8 seconds=16.306e-3" >> %t.measured
// RUN: echo "collective_permute bytes=8 devices=2 at_once=8 seconds=48e-6" >> %t.measured
// RUN: tess report --calibrate %t.measured --target %t.shared | FileCheck %s --check-prefix=SHARED
// SHARED: product: measured 0.00193 s, now predicted 0.00193 s ({{[+-]}}0 %)
// SHARED: product: measured 0.0163 s, now predicted 0.0163 s ({{[+-]}}0 %)
// SHARED: collective_permute: measured 4.8e-05 s, now predicted 4.8e-05 s ({{[+-]}}0 %)
// SHARED: calibrated like=shared product_efficiency=0.{{4|399|400}}

// RUN: echo "product m=4 n=4 seconds=1" > %t; (tess report --calibrate %t; echo status $?) 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: :1:1: error[E0930]: a measurement of product needs m=, n=, k= and seconds=
// WHOLE: status 1
// RUN: echo "sort bytes=4 seconds=1" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: :1:1: error[E0930]: expected product, copy, launch or the name of a collective, found 'sort'
// RUN: echo "copy bytes=many seconds=1" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: :1:6: error[E0930]: expected m=, {{.*}} found 'bytes=many'
// RUN: echo "all_reduce bytes=8 devices=2.5 seconds=1" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: :1:20: error[E0930]: expected m=, {{.*}} a whole number from 1 to 1e9, {{.*}} found 'devices=2.5'
// RUN: echo "all_reduce bytes=8 seconds=1" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: :1:1: error[E0930]: a measurement of all_reduce needs bytes=, devices= from 2 on and seconds=
// RUN: echo "product type=f33" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: :1:9: error[E0930]: there is no element type 'f33'
// RUN: echo "# nothing" > %t; (tess report --calibrate %t; true) 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: there is nothing measured
// RUN: (tess report %s --calibrate %t; echo status $?) 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: --calibrate excludes FILE
// USAGE: status 2

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
