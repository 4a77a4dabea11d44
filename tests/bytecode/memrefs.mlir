// Memory references with layouts and spaces, affine maps, and elements that are strings, as jaxlib 0.11.2
// wrote them; jaxlib prints the same, but for names of the maps.
// RUN: tess opt -allow-unregistered-dialect %S/Inputs/memrefs.bc > %t && diff %s %t --ignore-matching-lines '^//'
// VHLO has complex numbers of any others.
// RUN: printf 'func.func private @f(tensor<2xcomplex<i32>>)' | tess convert - --to artifact | tess opt - | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: @f(tensor<2xcomplex<i32>>)
module {
  func.func private @memrefs(memref<2xf32>, memref<f32, 3>, memref<*xf32>, memref<*xf32, 2>, memref<2x3xi8, strided<[?, 1], offset: 2>, "gpu">)
  func.func private @maps() attributes {x.a = affine_map<() -> (0)>, x.b = affine_map<(d0, d1) -> (d1, d0)>, x.c = affine_map<(d0, d1) -> (d0)>, x.d = affine_map<(d0, d1)[s0] -> (d0 - d1, d0 - d1 * 3, (d0 + d1) * 2, -(d0 + d1), d0 * 2 - (s0 + 3), (d0 mod 4) ceildiv 5 - 1)>}
  func.func private @layout(memref<2x?xf32, affine_map<(d0, d1) -> (d1, d0)>>)
  func.func private @strings() attributes {x.a = dense<["a", "b\22c"]> : tensor<2x!tf.string>, x.b = dense<"z"> : tensor<2x!tf.string>, x.c = dense<[["a"], ["b"]]> : tensor<2x1x!tf.string>}
}
