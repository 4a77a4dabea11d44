// A few aliases say more tuples than there is memory for, though none has a value in it.
// RUN: (! tess opt %s -flatten-tuples 2>&1) | FileCheck %s
// CHECK: flatten_tuples_limits.mlir:[[@LINE+23]]:1: error[E0931]: the tuples of the program have more than 4194304 parts
!t0 = tuple<>
!t1 = tuple<!t0, !t0>
!t2 = tuple<!t1, !t1>
!t3 = tuple<!t2, !t2>
!t4 = tuple<!t3, !t3>
!t5 = tuple<!t4, !t4>
!t6 = tuple<!t5, !t5>
!t7 = tuple<!t6, !t6>
!t8 = tuple<!t7, !t7>
!t9 = tuple<!t8, !t8>
!t10 = tuple<!t9, !t9>
!t11 = tuple<!t10, !t10>
!t12 = tuple<!t11, !t11>
!t13 = tuple<!t12, !t12>
!t14 = tuple<!t13, !t13>
!t15 = tuple<!t14, !t14>
!t16 = tuple<!t15, !t15>
!t17 = tuple<!t16, !t16>
!t18 = tuple<!t17, !t17>
!t19 = tuple<!t18, !t18>
!t20 = tuple<!t19, !t19>
!t21 = tuple<!t20, !t20>
func.func @main(%x: !t21, %y: !t21, %z: !t21) {
  return
}
