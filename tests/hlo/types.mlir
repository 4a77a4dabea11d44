// Every element type of HLO, in text and in a proto, is read as it was written; f6E2M3FN and
// f6E3M2FN are types of MLIR only.
// RUN: sed '\|^// ---|,$d' %s > %t.mlir
// RUN: tess convert %t.mlir --to hlo -o %t.hlo
// RUN: tess convert %t.mlir --to proto -o %t.pb
// RUN: tess convert %t.pb --to hlo | diff %t.hlo -
// RUN: tess convert %t.hlo --to text | FileCheck %s
// RUN: sed '1,\|^// ---|d' %s > %t.six.mlir && (! tess convert %t.six.mlir --to hlo 2>&1) | FileCheck %s --check-prefix=SIX
// RUN: (! tess convert %t.six.mlir --to proto -o %t.six.pb 2>&1) | FileCheck %s --check-prefix=SIX
// RUN: (! tess hlo --shape 'f6e2m3fn[4]' 2>&1) | FileCheck %s --check-prefix=NONE
// NONE: error[E0801]: there is no element type "f6e2m3fn"
func.func @main(
    %0: tensor<1xi1>, %1: tensor<1xi2>, %2: tensor<1xi4>, %3: tensor<1xi8>, %4: tensor<1xi16>,
    %5: tensor<1xi32>, %6: tensor<1xi64>, %7: tensor<1xui2>, %8: tensor<1xui4>, %9: tensor<1xui8>,
    %10: tensor<1xui16>, %11: tensor<1xui32>, %12: tensor<1xui64>, %13: tensor<1xf4E2M1FN>,
    %14: tensor<1xf8E3M4>, %15: tensor<1xf8E4M3>, %16: tensor<1xf8E4M3FN>,
    %17: tensor<1xf8E4M3FNUZ>, %18: tensor<1xf8E4M3B11FNUZ>, %19: tensor<1xf8E5M2>,
    %20: tensor<1xf8E5M2FNUZ>, %21: tensor<1xf8E8M0FNU>, %22: tensor<1xbf16>, %23: tensor<1xf16>,
    %24: tensor<1xf32>, %25: tensor<1xf64>, %26: tensor<1xcomplex<f32>>, %27: tensor<1xcomplex<f64>>
    ) {
  return
}
// CHECK: @main(%arg0: tensor<1xi1>, %arg1: tensor<1xi2>, %arg2: tensor<1xi4>, %arg3: tensor<1xi8>, %arg4: tensor<1xi16>, %arg5: tensor<1xi32>, %arg6: tensor<1xi64>, %arg7: tensor<1xui2>, %arg8: tensor<1xui4>, %arg9: tensor<1xui8>, %arg10: tensor<1xui16>, %arg11: tensor<1xui32>, %arg12: tensor<1xui64>, %arg13: tensor<1xf4E2M1FN>, %arg14: tensor<1xf8E3M4>, %arg15: tensor<1xf8E4M3>, %arg16: tensor<1xf8E4M3FN>, %arg17: tensor<1xf8E4M3FNUZ>, %arg18: tensor<1xf8E4M3B11FNUZ>, %arg19: tensor<1xf8E5M2>, %arg20: tensor<1xf8E5M2FNUZ>, %arg21: tensor<1xf8E8M0FNU>, %arg22: tensor<1xbf16>, %arg23: tensor<1xf16>, %arg24: tensor<1xf32>, %arg25: tensor<1xf64>, %arg26: tensor<1xcomplex<f32>>, %arg27: tensor<1xcomplex<f64>>)

// -----
func.func @main(%a: tensor<4xf6E2M3FN>) {
  return
}
// SIX: error[E0851]: an argument of this type has no counterpart in HLO
