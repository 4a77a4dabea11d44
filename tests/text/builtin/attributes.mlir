// RUN: tess opt %s --allow-unregistered-dialect -split-input-file > %t
// RUN: tess opt %t --allow-unregistered-dialect -split-input-file | diff %t -
//
// Attributes and types of the builtin dialect, each in an operation of its own.
"test.op"() {a = unit} : () -> ()
// -----
"test.op"() {a = true} : () -> ()
// -----
"test.op"() {a = false} : () -> ()
// -----
"test.op"() {a = 5} : () -> ()
// -----
"test.op"() {a = -5} : () -> ()
// -----
"test.op"() {a = 0} : () -> ()
// -----
"test.op"() {a = 5 : i8} : () -> ()
// -----
"test.op"() {a = -128 : i8} : () -> ()
// -----
"test.op"() {a = 255 : i8} : () -> ()
// -----
"test.op"() {a = 255 : ui8} : () -> ()
// -----
"test.op"() {a = -1 : si8} : () -> ()
// -----
"test.op"() {a = 7 : si32} : () -> ()
// -----
"test.op"() {a = 5 : index} : () -> ()
// -----
"test.op"() {a = -5 : index} : () -> ()
// -----
"test.op"() {a = 1 : i1} : () -> ()
// -----
"test.op"() {a = 0 : i1} : () -> ()
// -----
"test.op"() {a = -1 : i1} : () -> ()
// -----
"test.op"() {a = 3 : i3} : () -> ()
// -----
"test.op"() {a = -3 : i3} : () -> ()
// -----
"test.op"() {a = 7 : ui3} : () -> ()
// -----
"test.op"() {a = -4 : si3} : () -> ()
// -----
"test.op"() {a = 12345678901234567890 : ui64} : () -> ()
// -----
"test.op"() {a = -9223372036854775808} : () -> ()
// -----
"test.op"() {a = 18446744073709551615 : i64} : () -> ()
// -----
"test.op"() {a = 170141183460469231731687303715884105727 : i128} : () -> ()
// -----
"test.op"() {a = -1 : i128} : () -> ()
// -----
"test.op"() {a = 5 : i128} : () -> ()
// -----
"test.op"() {a = 340282366920938463463374607431768211455 : ui128} : () -> ()
// -----
"test.op"() {a = 0xFF : i8} : () -> ()
// -----
"test.op"() {a = 0xFF : i32} : () -> ()
// -----
"test.op"() {a = 0x1 : index} : () -> ()
// -----
"test.op"() {a = 0xFFFFFFFFFFFFFFFFFF : i72} : () -> ()
// -----
"test.op"() {a = -0xF : i32} : () -> ()
// -----
"test.op"() {a = 123456789012345678901234567890 : i100} : () -> ()
// -----
"test.op"() {a = 1.0} : () -> ()
// -----
"test.op"() {a = -1.0} : () -> ()
// -----
"test.op"() {a = 1.5 : f32} : () -> ()
// -----
"test.op"() {a = 1.5 : f16} : () -> ()
// -----
"test.op"() {a = 0.1 : bf16} : () -> ()
// -----
"test.op"() {a = 1.0e10 : f32} : () -> ()
// -----
"test.op"() {a = 1.0e-45 : f32} : () -> ()
// -----
"test.op"() {a = 3.4e38 : f32} : () -> ()
// -----
"test.op"() {a = 0x7F800000 : f32} : () -> ()
// -----
"test.op"() {a = 0xFF800000 : f32} : () -> ()
// -----
"test.op"() {a = 0x7FC00000 : f32} : () -> ()
// -----
"test.op"() {a = 0x7FF0000000000000 : f64} : () -> ()
// -----
"test.op"() {a = 0x7FF8000000000001 : f64} : () -> ()
// -----
"test.op"() {a = 0x3F800000 : f32} : () -> ()
// -----
"test.op"() {a = 0x7C00 : f16} : () -> ()
// -----
"test.op"() {a = 0xFC00 : f16} : () -> ()
// -----
"test.op"() {a = 0x7F80 : bf16} : () -> ()
// -----
"test.op"() {a = 0xFFC1 : bf16} : () -> ()
// -----
"test.op"() {a = 1.0 : f8E4M3FN} : () -> ()
// -----
"test.op"() {a = 0x7F : f8E4M3FN} : () -> ()
// -----
"test.op"() {a = 448.0 : f8E4M3FN} : () -> ()
// -----
"test.op"() {a = 1000.0 : f8E4M3FN} : () -> ()
// -----
"test.op"() {a = 0x80 : f8E5M2FNUZ} : () -> ()
// -----
"test.op"() {a = 0x80 : f8E4M3FNUZ} : () -> ()
// -----
"test.op"() {a = 0x80 : f8E4M3B11FNUZ} : () -> ()
// -----
"test.op"() {a = 0x7C : f8E5M2} : () -> ()
// -----
"test.op"() {a = 0x7D : f8E5M2} : () -> ()
// -----
"test.op"() {a = 0x78 : f8E4M3} : () -> ()
// -----
"test.op"() {a = 0x70 : f8E3M4} : () -> ()
// -----
"test.op"() {a = 0.5 : f8E3M4} : () -> ()
// -----
"test.op"() {a = 0xFF : f8E8M0FNU} : () -> ()
// -----
"test.op"() {a = 2.0 : f8E8M0FNU} : () -> ()
// -----
"test.op"() {a = 6.0 : f4E2M1FN} : () -> ()
// -----
"test.op"() {a = 0.5 : f4E2M1FN} : () -> ()
// -----
"test.op"() {a = 0x7 : f4E2M1FN} : () -> ()
// -----
"test.op"() {a = 28.0 : f6E3M2FN} : () -> ()
// -----
"test.op"() {a = 7.5 : f6E2M3FN} : () -> ()
// -----
"test.op"() {a = 1.0 : tf32} : () -> ()
// -----
"test.op"() {a = 1.1 : tf32} : () -> ()
// -----
"test.op"() {a = 1.5 : f80} : () -> ()
// -----
"test.op"() {a = 1.5 : f128} : () -> ()
// -----
"test.op"() {a = 0.1 : f128} : () -> ()
// -----
"test.op"() {a = 0x3FFF8000000000000000 : f80} : () -> ()
// -----
"test.op"() {a = ""} : () -> ()
// -----
"test.op"() {a = "text"} : () -> ()
// -----
"test.op"() {a = "quote \" and \\ and \0A"} : () -> ()
// -----
"test.op"() {a = "tab\t newline\n"} : () -> ()
// -----
"test.op"() {a = "é"} : () -> ()
// -----
"test.op"() {a = "text" : i32} : () -> ()
// -----
"test.op"() {a = "text" : tensor<2xf32>} : () -> ()
// -----
"test.op"() {a = @symbol} : () -> ()
// -----
"test.op"() {a = @"odd symbol"} : () -> ()
// -----
"test.op"() {a = @a::@b} : () -> ()
// -----
"test.op"() {a = @a::@b::@"c d"} : () -> ()
// -----
"test.op"() {a = @a.b$c} : () -> ()
// -----
"test.op"() {a = @_x} : () -> ()
// -----
"test.op"() {a = @"1st"} : () -> ()
// -----
"test.op"() {a = @""} : () -> ()
// -----
"test.op"() {a = []} : () -> ()
// -----
"test.op"() {a = [1]} : () -> ()
// -----
"test.op"() {a = [1, 2.0, "three", @four, [5 : i32], {six = 6}]} : () -> ()
// -----
"test.op"() {a = [unit, true]} : () -> ()
// -----
"test.op"() {a = [i32, f32]} : () -> ()
// -----
"test.op"() {a = [[], [[]]]} : () -> ()
// -----
"test.op"() {a = {}} : () -> ()
// -----
"test.op"() {a = {b = 1, a = 2}} : () -> ()
// -----
"test.op"() {a = {"odd name" = 1, unit_one}} : () -> ()
// -----
"test.op"() {a = {a.b = 1, "c-d" = 2, x$y = 3}} : () -> ()
// -----
"test.op"() {a = {"1" = 1}} : () -> ()
// -----
"test.op"() {a = {nested = {deep = {deeper = [1, {x}]}}}} : () -> ()
// -----
"test.op"() {a = i32} : () -> ()
// -----
"test.op"() {a = f32} : () -> ()
// -----
"test.op"() {a = index} : () -> ()
// -----
"test.op"() {a = none} : () -> ()
// -----
"test.op"() {a = tensor<4xf32>} : () -> ()
// -----
"test.op"() {a = (i32) -> f32} : () -> ()
// -----
"test.op"() {a = () -> ()} : () -> ()
// -----
"test.op"() {a = (i32, f32) -> (i1, i2)} : () -> ()
// -----
"test.op"() {a = () -> (() -> ())} : () -> ()
// -----
"test.op"() {a = (() -> ()) -> ()} : () -> ()
// -----
"test.op"() {a = tuple<>} : () -> ()
// -----
"test.op"() {a = tuple<i32, tuple<f32>>} : () -> ()
// -----
"test.op"() {a = complex<f64>} : () -> ()
// -----
"test.op"() {a = !stablehlo.token} : () -> ()
// -----
"test.op"() {a = !quant.uniform<i8:f32, 2.0:3>} : () -> ()
// -----
"test.op"() {a = array<i1: true, false>} : () -> ()
// -----
"test.op"() {a = array<i8: 1, -2>} : () -> ()
// -----
"test.op"() {a = array<i16: 300, -300>} : () -> ()
// -----
"test.op"() {a = array<i32>} : () -> ()
// -----
"test.op"() {a = array<i64: 1, 2, 3>} : () -> ()
// -----
"test.op"() {a = array<f32: 1.0, 2.5>} : () -> ()
// -----
"test.op"() {a = array<f64: 0.1, -1.0e300>} : () -> ()
// -----
"test.op"() {a = array<i64>} : () -> ()
// -----
"test.op"() {a = array<i1>} : () -> ()
// -----
"test.op"() {a = array<f32>} : () -> ()
// -----
"test.op"() {a = array<f32: 0x7F800000>} : () -> ()
// -----
"test.op"() {a = array<i32: 0x10>} : () -> ()
// -----
"test.op"() {a = array<i8: 255>} : () -> ()
// -----
"test.op"() {a = array<f16: 1.0>} : () -> ()
// -----
"test.op"() {a = array<bf16: 1.0>} : () -> ()
// -----
"test.op"() {a = array<f8E4M3FN: 1.0>} : () -> ()
// -----
"test.op"() {a = array<ui8: 1>} : () -> ()
// -----
"test.op"() {a = array<si8: -1>} : () -> ()
// -----
"test.op"() {a = affine_map<() -> ()>} : () -> ()
// -----
"test.op"() {a = affine_map<() -> (0)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> (d0, d1)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> (d1, d0 + 1)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0)[s0] -> (d0 + s0)>} : () -> ()
// -----
"test.op"() {a = affine_map<(i, j)[n] -> (i + j, n * 2)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0) -> (d0 mod 2, d0 floordiv 3, d0 ceildiv 4)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3 - 4)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0) -> (-d0)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> ((d0 + d1) * 2)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> (d0 - d1)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0) -> (d0 * 1 + 0)>} : () -> ()
// -----
"test.op"() {a = affine_map<()[s0, s1] -> (s0, s1)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0, d1) -> (d0 + d1 + d0 + 3 + 4)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0) -> ((d0 floordiv 2) * 2 + d0 mod 2)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0) -> ((d0 + 5) mod 1)>} : () -> ()
// -----
"test.op"() {a = affine_map<(x) -> (2 * x)>} : () -> ()
// -----
"test.op"() {a = affine_map<(x) -> (3 + x)>} : () -> ()
// -----
"test.op"() {a = affine_map<(d0,d1)->(d0  ,d1)>} : () -> ()
// -----
"test.op"() {a = affine_set<(d0) : (d0 >= 0)>} : () -> ()
// -----
"test.op"() {a = affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, s0 - 1 == 0)>} : () -> ()
// -----
"test.op"() {a = affine_set<(d0) : (1 == 0)>} : () -> ()
// -----
"test.op"() {a = affine_set<(i) : (i <= 5)>} : () -> ()
// -----
"test.op"() {a = affine_set<(i, j) : (i == j)>} : () -> ()
// -----
"test.op"() {a = distinct[0]<1 : i32>} : () -> ()
// -----
"test.op"() {a = distinct[3]<"a">} : () -> ()
// -----
"test.op"() {a = distinct[1]<unit>} : () -> ()
// -----
"test.op"() {a = [distinct[0]<1>, distinct[1]<1>, distinct[0]<1>]} : () -> ()
// -----
"test.op"() {a = distinct[0]<>} : () -> ()
// -----
"test.op"() {a = strided<[1]>} : () -> ()
// -----
"test.op"() {a = strided<[4, 1]>} : () -> ()
// -----
"test.op"() {a = strided<[4, 1], offset: 3>} : () -> ()
// -----
"test.op"() {a = strided<[?, 1], offset: ?>} : () -> ()
// -----
"test.op"() {a = strided<[]>} : () -> ()
// -----
"test.op"() {a = strided<[2], offset: 0>} : () -> ()
// -----
"test.op"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>} : () -> ()
// -----
"test.op"() {a = sparse<0, 1> : tensor<1xi32>} : () -> ()
// -----
"test.op"() {a = sparse<[[0, 1]], 2.0> : tensor<2x2xf32>} : () -> ()
// -----
"test.op"() {a = sparse<[[0]], ["text"]> : tensor<1x!test.string>} : () -> ()
// -----
"test.op"() {a = sparse<[[0], [2]], [(1.0, 2.0), (3.0, 4.0)]> : tensor<3xcomplex<f32>>} : () -> ()
// -----
"test.op"() {a = #test.attr} : () -> ()
// -----
"test.op"() {a = #test.attr<1, 2>} : () -> ()
// -----
"test.op"() {a = #test<attr 1>} : () -> ()
// -----
"test.op"() {a = #test.attr<"string > in">} : () -> ()
// -----
"test.op"() {a = #test.attr<(a) -> b>} : () -> ()
// -----
"test.op"() {a = #test.attr<[{(<>)}]>} : () -> ()
// -----
"test.op"() {a = #test<"pretty">} : () -> ()
// -----
"test.op"() {a = #test.a.b<c>} : () -> ()
// -----
"test.op"() {a = loc("file.py":1:2)} : () -> ()
// -----
"test.op"() {a = loc(unknown)} : () -> ()
// -----
"test.op"() {a = loc("name")} : () -> ()
// -----
"test.op"() {a = loc(callsite("a" at "b"))} : () -> ()
// -----
"test.op"() {a = loc(fused["a", "b"])} : () -> ()
// -----
"test.op"() {a = dense_resource<blob> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {a = vector<4xf32>} : () -> ()
// -----
"test.op"() {a = vector<[4]xf32>} : () -> ()
// -----
"test.op"() {a = vector<2x[4]x3xi8>} : () -> ()
// -----
"test.op"() {a = vector<f32>} : () -> ()
// -----
"test.op"() {a = memref<4xf32>} : () -> ()
// -----
"test.op"() {a = memref<?x4xf32, strided<[?, 1], offset: ?>>} : () -> ()
// -----
"test.op"() {a = memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>} : () -> ()
// -----
"test.op"() {a = memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>} : () -> ()
// -----
"test.op"() {a = memref<4xf32, 3>} : () -> ()
// -----
"test.op"() {a = memref<4xf32, 3 : i32>} : () -> ()
// -----
"test.op"() {a = memref<4xf32, "space">} : () -> ()
// -----
"test.op"() {a = memref<*xf32>} : () -> ()
// -----
"test.op"() {a = memref<*xf32, 1>} : () -> ()
// -----
"test.op"() {a = memref<4xf32, strided<[1]>>} : () -> ()
// -----
"test.op"() {a = memref<4x4xf32, strided<[4, 1]>, 2>} : () -> ()
// -----
"test.op"() {a = memref<4xf32, affine_map<(d0) -> (d0 + 4)>, 1>} : () -> ()
// -----
"test.op"() {a = memref<f32>} : () -> ()
// -----
"test.op"() {a = memref<2xmemref<f32>>} : () -> ()
// -----
"test.op"() {a = memref<1xvector<2xf32>>} : () -> ()
// -----
"test.op"() {a = tensor<*xf32>} : () -> ()
// -----
"test.op"() {a = tensor<f32>} : () -> ()
// -----
"test.op"() {a = tensor<0xf32>} : () -> ()
// -----
"test.op"() {a = tensor<?x0xf32>} : () -> ()
// -----
"test.op"() {a = tensor<2x!test.type>} : () -> ()
// -----
"test.op"() {a = tensor<2xcomplex<i32>>} : () -> ()
// -----
"test.op"() {a = tensor<2xvector<4xf32>>} : () -> ()
// -----
"test.op"() {a = tensor<2xindex>} : () -> ()
// -----
"test.op"() {a = tensor<2xf32, "encoding">} : () -> ()
// -----
"test.op"() {a = tensor<2xf32, #test.enc<1>>} : () -> ()
// -----
"test.op"() {a = tensor<2xf32, {a = 1}>} : () -> ()
// -----
"test.op"() {a = tensor<2xf32, 5>} : () -> ()
// -----
"test.op"() {a = tensor<?xf32, #stablehlo.bounds<4>>} : () -> ()
// -----
"test.op"() {a = tensor<2x2xf32, affine_map<(d0, d1) -> (d1, d0)>>} : () -> ()
// -----
"test.op"() {a = tensor<2xi7>} : () -> ()
// -----
"test.op"() {a = tensor<2xsi5>} : () -> ()
// -----
"test.op"() {a = i1} : () -> ()
// -----
"test.op"() {a = i16777215} : () -> ()
// -----
"test.op"() {a = si1} : () -> ()
// -----
"test.op"() {a = ui1} : () -> ()
// -----
"test.op"() {a = si64} : () -> ()
// -----
"test.op"() {a = ui128} : () -> ()
// -----
"test.op"() {a = f80} : () -> ()
// -----
"test.op"() {a = f128} : () -> ()
// -----
"test.op"() {a = tf32} : () -> ()
// -----
"test.op"() {a = bf16} : () -> ()
// -----
"test.op"() {a = f4E2M1FN} : () -> ()
// -----
"test.op"() {a = f6E2M3FN} : () -> ()
// -----
"test.op"() {a = f6E3M2FN} : () -> ()
// -----
"test.op"() {a = f8E3M4} : () -> ()
// -----
"test.op"() {a = f8E4M3} : () -> ()
// -----
"test.op"() {a = f8E5M2} : () -> ()
// -----
"test.op"() {a = f8E8M0FNU} : () -> ()
// -----
"test.op"() {a = !test.type} : () -> ()
// -----
"test.op"() {a = !test.type<1 x 2>} : () -> ()
// -----
"test.op"() {a = !test<type>} : () -> ()
// -----
"test.op"() {a = !test.a<"x>y">} : () -> ()
// -----
"test.op"() {a = !test.t<[1, (2)]>} : () -> ()
