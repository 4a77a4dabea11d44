// Each kind of attribute, type and location goes through bytecode, with and without places, and
// through an artifact where StableHLO has it.
// RUN: tess opt %s --mlir-print-debuginfo > %t
// RUN: tess convert %t -o %t.mlirbc && tess opt %t.mlirbc --mlir-print-debuginfo | diff %t -
// RUN: tess convert %t -o %t.0.mlirbc --bytecode-version 0 && tess opt %t.0.mlirbc --mlir-print-debuginfo | diff %t -
// RUN: tess convert %t -o %t.bc && tess opt %t.bc --mlir-print-debuginfo | diff %t -
// RUN: FileCheck %s < %t

module @inner attributes {
// CHECK: k.array = [1, 2 : i8, "a", unit, true, @inner::@f, i33]
  k.array = [1, 2 : i8, "a", unit, true, @inner::@f, i33],
// CHECK-SAME: k.dense = dense<{{\[\[}}1, 2], [3, 4]]> : vector<2x2xi16>
// CHECK-SAME: k.i64s = array<i64: 1, -2>
  k.dense = dense<[[1, 2], [3, 4]]> : vector<2x2xi16>, k.i64s = array<i64: 1, -2>, k.bools = array<i1: true, false>, k.f32s = array<f32: 1.5, 2.5>,
  k.dict = {a = 1.5 : bf16, b = {c = -7 : si16}},
  k.type = (tuple<tensor<2xf32>, tensor<*xf32>>, memref<4x?xf32>) -> (none, index), k.typed = "text" : i32, k.vector = vector<[4]x2xf32>,
  k.wide = 123456789012345678901234567890 : i128, k.resource = dense_resource<numbers> : tensor<2xf32>
} {
  // CHECK: sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
  sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
  func.func @f(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}p1, {}], replicated={"x":(2)2}>} loc("parameter"),
               %arg1: tensor<8x4x!quant.uniform<i8:f32, 0.5:3>>,
               %arg2: tensor<8x4x!quant.uniform<i8<-100:90>:f32:1, {0.5:1, 0.25, 2.0:-3, 1.0}>>,
               %arg3: tensor<?x4xf32, #stablehlo.bounds<8, ?>>, %arg4: !stablehlo.token) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> loc(fused["a", "b.py":7:3])
    %1 = stablehlo.custom_call @rule(%arg0, %0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=4, k=4} reduction={j} need_replication={k} permutation={i}, custom>} : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc(fused<"meta">["c"])
    %2 = stablehlo.exponential %1 {mhlo.frontend_attributes = {k = "v"}} : tensor<8x4xf32> loc(callsite("inner"("x.py":1:2) at "y.py":3:4))
    %3 = sdy.all_slice [{"x"}, {}] %2 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32> loc(unknown)
    %4 = sdy.all_gather [{"x"}, {}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32> loc("range.py":2:3 to 4:5)
    %5 = sdy.reshard %4 <@mesh, [{}, {}], unreduced={"y"}> : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F00000040"
    }
  }
#-}
