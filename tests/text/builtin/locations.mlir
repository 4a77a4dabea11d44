// RUN: tess opt %s --allow-unregistered-dialect -split-input-file -mlir-print-debuginfo > %t
// RUN: tess opt %t --allow-unregistered-dialect -split-input-file -mlir-print-debuginfo | diff %t -
//
// Locations of every kind, read with their aliases and printed as aliases.
"test.op"() : () -> () loc("a.py":1:2)
// -----
"test.op"() : () -> () loc("a.py":1:2 to 3:4)
// -----
"test.op"() : () -> () loc("a.py":1:2 to :4)
// -----
"test.op"() : () -> () loc("a.py":1:2 to 1:2)
// -----
"test.op"() : () -> () loc("a.py":5:6 to 5:9)
// -----
"test.op"() : () -> () loc("a.py":0:0)
// -----
"test.op"() : () -> () loc(unknown)
// -----
"test.op"() : () -> () loc("name")
// -----
"test.op"() : () -> () loc("name"("a.py":1:2))
// -----
"test.op"() : () -> () loc("name"("other"("a.py":1:2)))
// -----
"test.op"() : () -> () loc("name"(unknown))
// -----
"test.op"() : () -> () loc("odd \" name")
// -----
"test.op"() : () -> () loc(callsite("f" at "a.py":1:2))
// -----
"test.op"() : () -> () loc(callsite(callsite("f" at "g") at "a.py":1:2))
// -----
"test.op"() : () -> () loc(callsite("f"("b.py":3:4) at callsite("g" at "h")))
// -----
"test.op"() : () -> () loc(fused["a", "b"])
// -----
"test.op"() : () -> () loc(fused["a"])
// -----
"test.op"() : () -> () loc(fused["a", "a"])
// -----
"test.op"() : () -> () loc(fused[unknown, "a"])
// -----
"test.op"() : () -> () loc(fused[])
// -----
"test.op"() : () -> () loc(fused<"meta">["a", "b"])
// -----
"test.op"() : () -> () loc(fused<{x = 1, y = "z"}>["a"])
// -----
"test.op"() : () -> () loc(fused<#test.meta<1>>[unknown])
// -----
"test.op"() : () -> () loc(fused<1 : i32>[fused["a", "b"], "c"])
// -----
"test.op"() : () -> () loc(fused<"x">["a", fused<"x">["b"]])
// -----
#loc = loc("a.py":1:2)
"test.op"() : () -> () loc(#loc)
// -----
"test.op"() : () -> () loc(#loc1)
#loc1 = loc("a.py":1:2)
// -----
"test.op"() : () -> () loc(#inner)
#base = loc("a.py":1:2)
#inner = loc("name"(#base))
// -----
func.func @f(%a: i32 loc("a.py":1:2), %b: i32 loc("b")) -> i32 {
  return %a : i32 loc("c")
} loc("d")
// -----
func.func private @f(i32) -> i32 loc("d")
// -----
"test.op"() ({
^bb0(%a: i32 loc("x"), %b: i32 loc("y"("z"))):
  "test.inner"(%a) : (i32) -> () loc("w")
}) : () -> () loc("v")
// -----
"test.op"() {a = loc("attribute"), b = loc("a.py":1:2)} : () -> () loc("a.py":1:2)
// -----
func.func @w(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %a) : tensor<i32>
   cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("cond")
    stablehlo.return %c : tensor<i1> loc("return")
  } do {
    stablehlo.return %i : tensor<i32> loc("body")
  } loc("loop")
  return %0 : tensor<i32>
}
// -----
func.func @r(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc("sum")
  return %0 : tensor<f32> loc("end")
}
// -----
func.func @r(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32> loc("x"), %y: tensor<f32> loc("y")) {
    %1 = stablehlo.add %x, %y : tensor<f32> loc("inner")
    stablehlo.return %1 : tensor<f32>
  } loc("sum")
  return %0 : tensor<f32> loc("end")
}
