// RUN: tess opt %s --allow-unregistered-dialect -split-input-file > %t
// RUN: tess opt %t --allow-unregistered-dialect -split-input-file | diff %t -
//
// Elements of the builtin dialect, each in an operation of its own.
"test.op"() {a = dense<1> : tensor<i32>} : () -> ()
// -----
"test.op"() {a = dense<1> : tensor<2x2xi32>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>} : () -> ()
// -----
"test.op"() {a = dense<> : tensor<0xi32>} : () -> ()
// -----
"test.op"() {a = dense<> : tensor<2x0xi32>} : () -> ()
// -----
"test.op"() {a = dense<[]> : tensor<0xi32>} : () -> ()
// -----
"test.op"() {a = dense<[[], []]> : tensor<2x0xi32>} : () -> ()
// -----
"test.op"() {a = dense<5> : tensor<0xi32>} : () -> ()
// -----
"test.op"() {a = dense<[5, 5]> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<[[7, 7], [7, 7]]> : tensor<2x2xi64>} : () -> ()
// -----
"test.op"() {a = dense<[1.0, 1.0]> : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = dense<[true, true]> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<true> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<[true, false]> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<1> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<[1, 0]> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<-1> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0xAA"> : tensor<8xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0xFF"> : tensor<8xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x00"> : tensor<8xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x01"> : tensor<8xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100010001010000"> : tensor<8xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0xFF"> : tensor<20xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x05"> : tensor<3xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x01"> : tensor<1xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x00"> : tensor<i1>} : () -> ()
// -----
"test.op"() {a = dense<"0xFF"> : tensor<1xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x02"> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x0001"> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x03"> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x01"> : tensor<2xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x0F"> : tensor<4xi1>} : () -> ()
// -----
"test.op"() {a = dense<"0x"> : tensor<0xi32>} : () -> ()
// -----
"test.op"() {a = dense<"0x01000000"> : tensor<4xi32>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100000002000000"> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<"0x0000803F"> : tensor<3xf32>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100000001000000"> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<"0x0000803F00000040"> : tensor<complex<f32>>} : () -> ()
// -----
"test.op"() {a = dense<"0x0000803F00000040"> : tensor<4xcomplex<f32>>} : () -> ()
// -----
"test.op"() {a = dense<"0x12"> : tensor<2xi4>} : () -> ()
// -----
"test.op"() {a = dense<"0x0102"> : tensor<2xi4>} : () -> ()
// -----
"test.op"() {a = dense<"0xF1"> : tensor<i4>} : () -> ()
// -----
"test.op"() {a = dense<"0x3C"> : tensor<2xf8E4M3FN>} : () -> ()
// -----
"test.op"() {a = dense<"0x3C40"> : tensor<2xf8E5M2>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100000000000000"> : tensor<index>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100000000000000"> : tensor<1xindex>} : () -> ()
// -----
"test.op"() {a = dense<"0x0100"> : tensor<2xui8>} : () -> ()
// -----
"test.op"() {a = dense<"0xFF"> : tensor<1xsi8>} : () -> ()
// -----
"test.op"() {a = dense<"0x003C"> : tensor<1xf16>} : () -> ()
// -----
"test.op"() {a = dense<"0x803F"> : tensor<2xbf16>} : () -> ()
// -----
"test.op"() {a = dense<"0x01"> : tensor<2xi7>} : () -> ()
// -----
"test.op"() {a = dense<"0x0101"> : tensor<2xi7>} : () -> ()
// -----
"test.op"() {a = dense<"0x010203"> : tensor<1xi24>} : () -> ()
// -----
"test.op"() {a = dense<0x7F800000> : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = dense<[0x7F800000, 1.0]> : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = dense<0xFF> : tensor<2xi8>} : () -> ()
// -----
"test.op"() {a = dense<-128> : tensor<2xi8>} : () -> ()
// -----
"test.op"() {a = dense<255> : tensor<2xi8>} : () -> ()
// -----
"test.op"() {a = dense<[0x10, 16]> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<0x7F> : tensor<f8E4M3FN>} : () -> ()
// -----
"test.op"() {a = dense<0x80> : tensor<f8E5M2FNUZ>} : () -> ()
// -----
"test.op"() {a = dense<[0x7C, 1.0]> : tensor<2xf8E5M2>} : () -> ()
// -----
"test.op"() {a = dense<1.0> : tensor<2xf4E2M1FN>} : () -> ()
// -----
"test.op"() {a = dense<[0.5, 6.0]> : tensor<2xf4E2M1FN>} : () -> ()
// -----
"test.op"() {a = dense<[1.0, 28.0]> : tensor<2xf6E3M2FN>} : () -> ()
// -----
"test.op"() {a = dense<0xFF> : tensor<f8E8M0FNU>} : () -> ()
// -----
"test.op"() {a = dense<1.0> : tensor<2xtf32>} : () -> ()
// -----
"test.op"() {a = dense<1.5> : tensor<f80>} : () -> ()
// -----
"test.op"() {a = dense<[1.5, 2.5]> : tensor<2xf128>} : () -> ()
// -----
"test.op"() {a = dense<(1.0, 2.0)> : tensor<complex<f32>>} : () -> ()
// -----
"test.op"() {a = dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"test.op"() {a = dense<(0x7F800000, 0x7FC00000)> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"test.op"() {a = dense<(1, 2)> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"test.op"() {a = dense<[(1, 2), (-3, 4)]> : tensor<2xcomplex<i64>>} : () -> ()
// -----
"test.op"() {a = dense<(true, false)> : tensor<complex<i1>>} : () -> ()
// -----
"test.op"() {a = dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>} : () -> ()
// -----
"test.op"() {a = dense<[(1.0, 1.0), (1.0, 1.0)]> : tensor<2xcomplex<f16>>} : () -> ()
// -----
"test.op"() {a = dense<(1.0, 2.0)> : tensor<2xcomplex<bf16>>} : () -> ()
// -----
"test.op"() {a = dense<"text"> : tensor<2x!test.string>} : () -> ()
// -----
"test.op"() {a = dense<["a", "b"]> : tensor<2x!test.string>} : () -> ()
// -----
"test.op"() {a = dense<1> : tensor<2xi7>} : () -> ()
// -----
"test.op"() {a = dense<[1, -1]> : tensor<2xi7>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xi128>} : () -> ()
// -----
"test.op"() {a = dense<-1> : tensor<2xi65>} : () -> ()
// -----
"test.op"() {a = dense<340282366920938463463374607431768211455> : tensor<1xui128>} : () -> ()
// -----
"test.op"() {a = dense<7> : tensor<2xui3>} : () -> ()
// -----
"test.op"() {a = dense<-4> : tensor<2xsi3>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xi24>} : () -> ()
// -----
"test.op"() {a = dense<-1> : tensor<2xi4>} : () -> ()
// -----
"test.op"() {a = dense<15> : tensor<2xi4>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xui4>} : () -> ()
// -----
"test.op"() {a = dense<[-8, 7]> : tensor<2xsi4>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xi2>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : tensor<2xindex>} : () -> ()
// -----
"test.op"() {a = dense<-1> : tensor<index>} : () -> ()
// -----
"test.op"() {a = dense<[0x01, 2]> : tensor<2xindex>} : () -> ()
// -----
"test.op"() {a = dense<1> : vector<4xi32>} : () -> ()
// -----
"test.op"() {a = dense<[1, 2]> : vector<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<1.0> : vector<2x2xf32>} : () -> ()
// -----
"test.op"() {a = dense<1> : vector<[4]xi32>} : () -> ()
// -----
"test.op"() {a = dense<1.0> : tensor<2xf32, "encoding">} : () -> ()
// -----
"test.op"() {a = dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>} : () -> ()
// -----
"test.op"() {a = dense<[1.0e10, 1.0e-10, 0.1, 123456.789]> : tensor<4xf32>} : () -> ()
// -----
"test.op"() {a = dense<[1.0e10, 1.0e-10, 0.1, 123456.789]> : tensor<4xf64>} : () -> ()
// -----
"test.op"() {a = dense<[0.1, 3.14159]> : tensor<2xbf16>} : () -> ()
// -----
"test.op"() {a = dense<[0.1, 65504.0]> : tensor<2xf16>} : () -> ()
// -----
"test.op"() {a = dense<[-0.0, 0.0]> : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = dense<-0.0> : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = dense_resource<"odd name"> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = dense<[
  // a comment > inside
  1, 2]> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = sparse<[[0, 1], [2, 3]], [true, false]> : tensor<4x4xi1>} : () -> ()
// -----
"test.op"() {a = sparse<[0, 3], [1.0, 2.0]> : tensor<4xf32>} : () -> ()
// -----
"test.op"() {a = sparse<[[0]], -1> : tensor<2xi8>} : () -> ()
// -----
"test.op"() {a = sparse<1, 2> : tensor<4xi64>} : () -> ()
// -----
"test.op"() {a = sparse<[[0, 0]], "x"> : tensor<1x1x!test.string>} : () -> ()
