// Attributes, types and resources that few programs have print as they were written.  MLIR prints
// them so, too, but for the aliases that it makes of maps, sets and distinct attributes, and for
// external resources, which it drops.
// RUN: tess opt %s -allow-unregistered-dialect > %t
// RUN: grep -v '^//' %s | diff - %t
module @m attributes {a.list = [1, 2.500000e+00 : f32, "s\0A\22", unit, true, @sym, @sym::@inner, f32, affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3)>, 3 : i8], b.dict = {k = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, "odd key" = array<i64: 1, -2>}, c.distinct = distinct[3]<"x">, d.sparse = sparse<[[0, 1], [1, 0]], [5, 6]> : tensor<2x2xi32>, e.set = affine_set<(d0) : (d0 - 1 >= 0)>, f.other = #foreign.attr<a, [b]>} {
  func.func @f(%arg0: tensor<4xf32> {x.y = 1 : i32}, %arg1: memref<4x?xf32, strided<[?, 1], offset: 3>, 2>, %arg2: tuple<tensor<f32>, i1>, %arg3: vector<4x[2]xi8>, %arg4: !foreign.type<"a">, %arg5: (i32, f32) -> ()) -> (tensor<4xf32> {x.z}) attributes {x.w = "q"} {
    %cst = stablehlo.constant dense_resource<blob> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<[(1.000000e+00,-0.000000e+00), (0x7FC00000,0x7F800000)]> : tensor<2xcomplex<f32>>
    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %c_2 = stablehlo.constant dense<-5> : tensor<3x0xi4>
    return %cst_0 : tensor<4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  },
  external_resources: {
    tool: {
      "a key": "text"
    }
  }
#-}
