// RUN: tess opt %s --allow-unregistered-dialect -split-input-file > %t
// RUN: tess opt %t --allow-unregistered-dialect -split-input-file | diff %t -
//
// Aliases of types and attributes, before and behind their use.
!t = tensor<4xf32>
func.func @f(%a: !t) -> !t {
  return %a : !t
}
// -----
#a = 5 : i32
"test.op"() {x = #a} : () -> ()
// -----
#map = affine_map<(d0, d1) -> (d1, d0)>
!m = memref<4x4xf32, #map>
"test.op"() {m = #map} : () -> (!m)
// -----
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 1)>
"test.op"() {m = [#map, #map1, #map]} : () -> ()
// -----
"test.op"() {m = affine_map<(d0) -> (d0)>, n = affine_map<(d0) -> (d0 + 1)>} : () -> ()
"test.op"() {m = affine_map<(d0) -> (d0)>} : () -> ()
// -----
#set = affine_set<(d0) : (d0 - 1 >= 0)>
"test.op"() {s = #set} : () -> ()
// -----
#distinct = distinct[7]<"x">
"test.op"() {a = #distinct, b = distinct[2]<"x">, c = #distinct} : () -> ()
// -----
"test.op"() {a = distinct[0]<"x">, b = distinct[1]<"x">} : () -> ()
// -----
#enc = #stablehlo.bounds<4>
func.func @f(%a: tensor<?xf32, #enc>) -> tensor<?xf32, #enc> {
  return %a : tensor<?xf32, #enc>
}
// -----
#s = #sdy.sharding<@mesh, [{"x"}]>
sdy.mesh @mesh = <["x"=2]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #s}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
#d = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #d} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
#a$b_1 = 1
"test.op"() {x = #a$b_1} : () -> ()
// -----
!f = (i32) -> f32
"test.op"() : () -> (!f)
// -----
!f = () -> ()
func.func private @f(!f) -> !f
// -----
#t = tensor<2xi32>
"test.op"() {x = #t} : () -> ()
// -----
!t = i32
#d = dense<[1, 2]> : tensor<2x!t>
"test.op"() {x = #d, y = 7 : !t, z = array<!t: 1, 2>} : () -> ()
