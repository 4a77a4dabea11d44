// RUN: tess opt %s --allow-unregistered-dialect -split-input-file > %t
// RUN: tess opt %t --allow-unregistered-dialect -split-input-file | diff %t -
//
// Operations, regions, blocks, names and resources.
"test.op"() : () -> ()
// -----
%0 = "test.op"() : () -> i32
// -----
%0:2 = "test.op"() : () -> (i32, f32)
"test.use"(%0#0, %0#1) : (i32, f32) -> ()
// -----
%a, %b = "test.op"() : () -> (i32, f32)
"test.use"(%b, %a) : (f32, i32) -> ()
// -----
%a:2, %b = "test.op"() : () -> (i32, i32, f32)
"test.use"(%b, %a#1) : (f32, i32) -> ()
// -----
"test.use"(%later) : (i32) -> ()
%later = "test.op"() : () -> i32
// -----
"test.op"() ({}) : () -> ()
// -----
"test.op"() ({}, {}) : () -> ()
// -----
"test.op"() ({
^bb0:
}) : () -> ()
// -----
"test.op"() ({
  "test.inner"() : () -> ()
}, {
^bb0(%a: i32):
  "test.inner"(%a) : (i32) -> ()
}) : () -> ()
// -----
"test.op"() ({
  "test.inner"() : () -> ()
^second(%a: i32):
  "test.inner"(%a) : (i32) -> ()
^third:
  "test.inner"() : () -> ()
}) : () -> ()
// -----
"test.op"() <{a = 1}> : () -> ()
// -----
"test.op"() <{a = 1}> {b = 2} : () -> ()
// -----
"test.op"() <{a = 1}> ({
  "test.inner"() : () -> ()
}) {b} : () -> ()
// -----
module {
}
// -----
module @name {
}
// -----
module {
  module @inner {
    func.func @f() {
      return
    }
  }
}
// -----
func.func @f()
{
  return
}
// -----
func.func private @f()
// -----
func.func private @f(i32, tensor<2xf32> {a.b = 1}) -> (i32 {c.d}, f32)
// -----
func.func @f() -> () attributes {x.y = 1, no_inline} {
  return
}
// -----
func.func nested @f(%a: i32) -> i32 attributes {} {
  return %a : i32
}
// -----
func.func public @"odd name"(%arg0: i32, %1: f32) -> (i32, f32) {
  func.return %arg0, %1 : i32, f32
}
// -----
func.func @f(%a: i32) -> i32 {
  %0 = call @f(%a) : (i32) -> i32
  %1 = func.call @f(%0) {x = 1} : (i32) -> i32
  return %1 : i32
}
// -----
func.func @f(%a: i32) -> f32 {
  %0 = builtin.unrealized_conversion_cast %a : i32 to f32
  return %0 : f32
}
// -----
func.func @f() {
  builtin.unrealized_conversion_cast to i32
  return
}
// -----
"test.op"() {r = dense_resource<blob> : tensor<2xi32>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}
// -----
"test.op"() {r = dense_resource<one> : tensor<2xi32>, s = dense_resource<two> : tensor<1xi64>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      one: "0x040000000100000002000000",
      two: "0x080000000100000000000000",
      unused: "0x04000000FFFFFFFF"
    }
  }
#-}
// -----
"test.op"() : () -> ()

{-#
  external_resources: {
    tool: {
      flag: true,
      word: "text",
      blob: "0x0400000001000000"
    }
  }
#-}
// -----
"test.op"() {r = dense_resource<missing> : tensor<2xi32>} : () -> ()
// -----
"test.op"() {true = 1, dense = 2, loc = 3, i32 = 4, tensor = 5} : () -> ()
// -----
%$a, %b.c, %d-e, %_f = "test.op"() : () -> (i32, i32, i32, i32)
"test.use"(%$a, %b.c, %d-e, %_f) : (i32, i32, i32, i32) -> ()
// -----
// a comment
"test.op"() // behind
  // between
  : () -> () // and at the end
// -----
%0 = "test.op"() : () -> (() -> i32)
// -----
%0 = "test.op"() : () -> ((i32) -> (i32, i32))
// -----
"test.op"(%0, %0) : (i32, i32) -> ()
%0 = "test.op"() : () -> i32
// -----
"op_without_dialect"() : () -> ()
// -----
%0:3 = "test.op"() : () -> (i32, i32, i32)
%1:2 = "test.op"(%0#2, %0#0) : (i32, i32) -> (i32, i32)
"test.use"(%1) : (i32) -> ()
// -----
"test.op"() {f = #stablehlo<precision HIGH>, g = [#stablehlo<precision DEFAULT>], h = #chlo<comparison_type FLOAT>, i = #stablehlo<comparison_direction EQ>} : () -> ()
// -----
"test.op"() {a = #stablehlo.channel_handle<handle = 1, type = 2>, b = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, c = #stablehlo.gather<offset_dims = [0], index_vector_dim = 1>, d = #stablehlo.type_extensions<bounds = [4, ?]>} : () -> ()
