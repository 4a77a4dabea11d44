// What a loop adds up of sums over devices is summed over devices once, after it.
// RUN: tess verify %s --tolerance 1e-3 | FileCheck %s --check-prefix=AGREE
// AGREE: 7 comparisons agree on 8 devices
// RUN: tess partition %s | FileCheck %s

sdy.mesh @mesh = <["x"=8]>

// A large function is called; small ones are inlined. What is converted before it is added; both operands of an
// addition are sums.
// CHECK-LABEL: func.func private @part
// CHECK-NOT: all_reduce
// CHECK: return
func.func private @part(%x: tensor<64x16xf32>, %c: tensor<16x16xf32>, %d: tensor<16x16xf64>)
    -> (tensor<16x16xf32>, tensor<16x16xf64>) {
  %q1 = stablehlo.cosine %x : tensor<64x16xf32>
  %q2 = stablehlo.cosine %q1 : tensor<64x16xf32>
  %q3 = stablehlo.cosine %q2 : tensor<64x16xf32>
  %q4 = stablehlo.cosine %q3 : tensor<64x16xf32>
  %q5 = stablehlo.cosine %q4 : tensor<64x16xf32>
  %q6 = stablehlo.cosine %q5 : tensor<64x16xf32>
  %q7 = stablehlo.cosine %q6 : tensor<64x16xf32>
  %q8 = stablehlo.cosine %q7 : tensor<64x16xf32>
  %q9 = stablehlo.cosine %q8 : tensor<64x16xf32>
  %q10 = stablehlo.cosine %q9 : tensor<64x16xf32>
  %q11 = stablehlo.cosine %q10 : tensor<64x16xf32>
  %q12 = stablehlo.cosine %q11 : tensor<64x16xf32>
  %q13 = stablehlo.cosine %q12 : tensor<64x16xf32>
  %q14 = stablehlo.cosine %q13 : tensor<64x16xf32>
  %q15 = stablehlo.cosine %q14 : tensor<64x16xf32>
  %q16 = stablehlo.cosine %q15 : tensor<64x16xf32>
  %q17 = stablehlo.cosine %q16 : tensor<64x16xf32>
  %q18 = stablehlo.cosine %q17 : tensor<64x16xf32>
  %q19 = stablehlo.cosine %q18 : tensor<64x16xf32>
  %q20 = stablehlo.cosine %q19 : tensor<64x16xf32>
  %q21 = stablehlo.cosine %q20 : tensor<64x16xf32>
  %q22 = stablehlo.cosine %q21 : tensor<64x16xf32>
  %q23 = stablehlo.cosine %q22 : tensor<64x16xf32>
  %q24 = stablehlo.cosine %q23 : tensor<64x16xf32>
  %q25 = stablehlo.cosine %q24 : tensor<64x16xf32>
  %q26 = stablehlo.cosine %q25 : tensor<64x16xf32>
  %q27 = stablehlo.cosine %q26 : tensor<64x16xf32>
  %q28 = stablehlo.cosine %q27 : tensor<64x16xf32>
  %q29 = stablehlo.cosine %q28 : tensor<64x16xf32>
  %q30 = stablehlo.cosine %q29 : tensor<64x16xf32>
  %q31 = stablehlo.cosine %q30 : tensor<64x16xf32>
  %q32 = stablehlo.cosine %q31 : tensor<64x16xf32>
  %q33 = stablehlo.cosine %q32 : tensor<64x16xf32>
  %q34 = stablehlo.cosine %q33 : tensor<64x16xf32>
  %q35 = stablehlo.cosine %q34 : tensor<64x16xf32>
  %q36 = stablehlo.cosine %q35 : tensor<64x16xf32>
  %q37 = stablehlo.cosine %q36 : tensor<64x16xf32>
  %q38 = stablehlo.cosine %q37 : tensor<64x16xf32>
  %q39 = stablehlo.cosine %q38 : tensor<64x16xf32>
  %q40 = stablehlo.cosine %q39 : tensor<64x16xf32>
  %q41 = stablehlo.cosine %q40 : tensor<64x16xf32>
  %q42 = stablehlo.cosine %q41 : tensor<64x16xf32>
  %q43 = stablehlo.cosine %q42 : tensor<64x16xf32>
  %q44 = stablehlo.cosine %q43 : tensor<64x16xf32>
  %q45 = stablehlo.cosine %q44 : tensor<64x16xf32>
  %q46 = stablehlo.cosine %q45 : tensor<64x16xf32>
  %q47 = stablehlo.cosine %q46 : tensor<64x16xf32>
  %q48 = stablehlo.cosine %q47 : tensor<64x16xf32>
  %q49 = stablehlo.cosine %q48 : tensor<64x16xf32>
  %q50 = stablehlo.cosine %q49 : tensor<64x16xf32>
  %q51 = stablehlo.cosine %q50 : tensor<64x16xf32>
  %q52 = stablehlo.cosine %q51 : tensor<64x16xf32>
  %q53 = stablehlo.cosine %q52 : tensor<64x16xf32>
  %q54 = stablehlo.cosine %q53 : tensor<64x16xf32>
  %q55 = stablehlo.cosine %q54 : tensor<64x16xf32>
  %q56 = stablehlo.cosine %q55 : tensor<64x16xf32>
  %q57 = stablehlo.cosine %q56 : tensor<64x16xf32>
  %q58 = stablehlo.cosine %q57 : tensor<64x16xf32>
  %q59 = stablehlo.cosine %q58 : tensor<64x16xf32>
  %q60 = stablehlo.cosine %q59 : tensor<64x16xf32>
  %q61 = stablehlo.cosine %q60 : tensor<64x16xf32>
  %q62 = stablehlo.cosine %q61 : tensor<64x16xf32>
  %q63 = stablehlo.cosine %q62 : tensor<64x16xf32>
  %q64 = stablehlo.cosine %q63 : tensor<64x16xf32>
  %s = stablehlo.sine %q64 : tensor<64x16xf32>
  %0 = stablehlo.dot_general %x, %s, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.dot_general %s, %s, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<16x16xf32>
  %3 = stablehlo.add %c, %2 : tensor<16x16xf32>
  %4 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %5 = stablehlo.convert %4 : (tensor<16x16xf32>) -> tensor<16x16xf64>
  %6 = stablehlo.add %5, %d : tensor<16x16xf64>
  return %3, %6 : tensor<16x16xf32>, tensor<16x16xf64>
}

// The first two start with zeros, the third with something else. What the loop reads, tests, or takes the
// maximum of, is summed in the loop.
// CHECK-LABEL: func.func public @main
// CHECK: %[[L:[0-9]+]]:8 = stablehlo.while
// CHECK-NOT: %iterArg_{{[0-9]*}} = %arg1
// CHECK: do
// CHECK: call @part
// CHECK-COUNT-3: "stablehlo.all_reduce"
// CHECK-NOT: "stablehlo.all_reduce"
// CHECK: stablehlo.return
// CHECK: %[[C:.*]] = "stablehlo.all_reduce"(%[[L]]#4)
// CHECK: %[[T:.*]] = stablehlo.add %arg1, %[[C]] : tensor<16xf32>
// CHECK: %[[B:.*]] = "stablehlo.all_reduce"(%[[L]]#3)
// CHECK: (tensor<16x16xf64>) -> tensor<16x16xf64>
// CHECK: %[[A:.*]] = "stablehlo.all_reduce"(%[[L]]#2)
// CHECK: (tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK: return %{{.*}}, %[[A]], %[[B]], %[[T]],
func.func public @main(%x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %start: tensor<16xf32>, %other: tensor<16xf32>)
    -> (tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf64>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %f0, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %z64 = stablehlo.constant dense<0.0> : tensor<16x16xf64>
  %z1 = stablehlo.constant dense<0.0> : tensor<16xf32>
  %r:8 = stablehlo.while(%i = %zero, %v = %x, %c = %z, %d = %z64, %e = %start, %g = %z1, %h = %f0, %k = %other)
      : tensor<i32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf64>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<16xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %most = stablehlo.constant dense<1.0e6> : tensor<f32>
    %a = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %b = stablehlo.compare LT, %h, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %0 = stablehlo.and %a, %b : tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0:2 = func.call @part(%v, %c, %d) : (tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf64>) -> (tensor<16x16xf32>, tensor<16x16xf64>)
    %1 = stablehlo.reduce(%v init: %f0) applies stablehlo.add across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.add %e, %1 : tensor<16xf32>
    %3 = stablehlo.cosine %v : tensor<64x16xf32>
    %4 = stablehlo.reduce(%3 init: %f0) applies stablehlo.add across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>
    %5 = stablehlo.add %g, %4 : tensor<16xf32>
    %6 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<16xf32>) -> tensor<64x16xf32>
    %7 = stablehlo.subtract %v, %6 : tensor<64x16xf32>
    %8 = stablehlo.sine %7 : tensor<64x16xf32>
    %9 = stablehlo.reduce(%8 init: %f0) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.add %h, %9 : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>
    %12 = stablehlo.add %k, %11 : tensor<16xf32>
    %13 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %13, %8, %0#0, %0#1, %2, %5, %10, %12 : tensor<i32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf64>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<16xf32>
  }
  return %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7 : tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf64>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<16xf32>
}
