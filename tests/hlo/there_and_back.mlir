// The operations that HLO has too, as HLO and back: XLA's parser accepts the text and prints it the
// same (tests/conformance/xla/to_hlo.py), and the program that comes back computes the same.
// RUN: tess convert --to-hlo %s > %t.hlo
// RUN: FileCheck %s < %t.hlo
// RUN: tess hlo --large-constants %t.hlo | diff %t.hlo -
// RUN: tess convert %t.hlo > %t.back.mlir
// RUN: tess eval %s --outputs %t.there.npz
// RUN: tess eval %t.back.mlir --outputs %t.back.npz
// RUN: cmp %t.there.npz %t.back.npz

func.func private @scaled(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @main() -> (tensor<4x4xf32>, tensor<4x8xf32>, tensor<i32>, tensor<3x4xi32>, tensor<2x2xf32>, tensor<4x4xf32>, tensor<5x11xf32>, tensor<4x4xf32>, tensor<4x3xcomplex<f32>>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xui64>, tensor<8xui32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<3x2x4xf32>, tensor<3x5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<2x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<1x4x4x3xf32>, tensor<4x2xf16>, tensor<4x4xf32>) {
  %m = stablehlo.constant dense<[[4.0, 1.0, 0.5, -1.0], [1.0, 5.0, 0.25, 2.0], [0.5, 0.25, 6.0, 0.0], [-1.0, 2.0, 0.0, 7.0]]> : tensor<4x4xf32>
  %v = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5]> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>

  // CHECK-DAG: = f32[4,4]{1,0} reverse({{.*}}), dimensions={0,1}
  %reverse = stablehlo.reverse %m, dims = [0, 1] : tensor<4x4xf32>
  // CHECK-DAG: = f32[4,8]{1,0} concatenate({{.*}}), dimensions={1}
  %concatenate = stablehlo.concatenate %m, %m, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: = s32[] get-dimension-size({{.*}}), dimensions={1}
  %size = stablehlo.get_dimension_size %m, dim = 1 : (tensor<4x4xf32>) -> tensor<i32>
  // CHECK-DAG: = s32[3,4]{1,0} iota(), iota_dimension=1
  %iota = stablehlo.iota dim = 1 : tensor<3x4xi32>
  // CHECK-DAG: = f32[2,2]{1,0} dynamic-slice({{.*}}), dynamic_slice_sizes={2,2}
  %dynamic_slice = stablehlo.dynamic_slice %m, %one, %one, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  // CHECK-DAG: = f32[4,4]{1,0} dynamic-update-slice(
  %update = stablehlo.dynamic_update_slice %m, %dynamic_slice, %one, %size : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  // CHECK-DAG: = f32[5,11]{1,0} pad({{.*}}), padding=1_0_0x0_1_2
  %pad = stablehlo.pad %m, %zero, low = [1, 0], high = [0, 1], interior = [0, 2] : (tensor<4x4xf32>, tensor<f32>) -> tensor<5x11xf32>
  // CHECK-DAG: = f32[4,4]{1,0} reduce-precision({{.*}}), exponent_bits=5, mantissa_bits=2
  %precision = stablehlo.reduce_precision %m, format = e5m2 : tensor<4x4xf32>
  // CHECK-DAG: = c64[4,3]{1,0} fft({{.*}}), fft_type=RFFT, fft_length={4}
  %fft = stablehlo.fft %m, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  // CHECK-DAG: = f32[4,4]{1,0} cholesky({{.*}}), lower=true
  %cholesky = stablehlo.cholesky %m, lower = true : tensor<4x4xf32>
  // CHECK-DAG: = f32[4,4]{1,0} triangular-solve({{.*}}), left_side=true, lower=true, transpose_a=TRANSPOSE
  %solve = "stablehlo.triangular_solve"(%cholesky, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-DAG: batch-norm-training({{.*}}), epsilon=0.001, feature_index=1
  %training:3 = "stablehlo.batch_norm_training"(%m, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK-DAG: batch-norm-inference({{.*}}), epsilon=0.001, feature_index=1
  %inference = "stablehlo.batch_norm_inference"(%m, %v, %v, %training#1, %training#2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  // CHECK-DAG: batch-norm-grad({{.*}}), epsilon=0.001, feature_index=1
  %grad:3 = "stablehlo.batch_norm_grad"(%m, %v, %training#1, %training#2, %m) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK-DAG: rng-bit-generator({{.*}}), algorithm=rng_three_fry
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  // CHECK-DAG: topk({{.*}}), k=2, largest=true
  %top:2 = chlo.top_k(%m, k = 2) : tensor<4x4xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  // CHECK-DAG: gather({{.*}}), offset_dims={2}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1,4}
  %many_iota = stablehlo.iota dim = 2 : tensor<3x5x4xf32>
  %at = stablehlo.constant dense<[[[1], [2]], [[0], [4]], [[3], [3]]]> : tensor<3x2x1xi32>
  %gather = "stablehlo.gather"(%many_iota, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi32>) -> tensor<3x2x4xf32>
  // CHECK-DAG: scatter({{.*}}), update_window_dims={2}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2
  %scatter = "stablehlo.scatter"(%many_iota, %at, %gather) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<3x5x4xf32>, tensor<3x2x1xi32>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
  // CHECK-DAG: = f32[4,4]{1,0} map({{.*}}), dimensions={0,1}
  %map = "stablehlo.map"(%m, %reverse) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-DAG: sort({{.*}}), dimensions={1}, is_stable=true
  %numbers = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %sort:2 = "stablehlo.sort"(%m, %numbers) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4x4xf32>, tensor<4x4xi32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
  // CHECK-DAG: reduce-window({{.*}}), window={size=2x2 stride=2x2}
  %window = "stablehlo.reduce_window"(%m, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  // CHECK-DAG: select-and-scatter({{.*}}), window={size=2x2 stride=2x2}
  %selected = "stablehlo.select_and_scatter"(%m, %window, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %more = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  // CHECK-DAG: = f32[4,2]{1,0} slice({{.*}}), slice={{.*}}0:4:2
  %slice = stablehlo.slice %m [0:4, 0:4:2] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  // CHECK-DAG: call({{.*}}), to_apply=%scaled{{.*}}is_composite=true
  %composite = stablehlo.composite "mine.scaled" %v {composite_attributes = {n = 1 : i64}, decomposition = @scaled, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-DAG: = f32[4,4]{1,0} transpose({{.*}}), dimensions={1,0}
  %transpose = stablehlo.transpose %update, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-DAG: = f32[4,2]{1,0} dot({{.*}}), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %dot = stablehlo.dot_general %m, %slice, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %image = stablehlo.iota dim = 1 : tensor<1x4x4x2xf32>
  %kernel = stablehlo.iota dim = 0 : tensor<3x3x2x3xf32>
  // CHECK-DAG: convolution({{.*}}), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  %conv = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x4x3xf32>
  // CHECK-DAG: = f16[4,2]{1,0} bitcast-convert(
  %bitcast = stablehlo.bitcast_convert %v : (tensor<4xf32>) -> tensor<4x2xf16>
  // CHECK-DAG: = f32[4,4]{1,0} multiply(%constant{{[.0-9]*}}, %constant{{[.0-9]*}})
  %square = chlo.square %m : tensor<4x4xf32> -> tensor<4x4xf32>
  return %reverse, %concatenate, %size, %iota, %dynamic_slice, %update, %pad, %precision, %fft, %cholesky, %solve, %training#0, %training#1, %training#2, %inference, %grad#0, %grad#1, %grad#2, %next, %bits, %top#0, %top#1, %gather, %scatter, %map, %sort#0, %sort#1, %window, %selected, %slice, %composite, %transpose, %dot, %conv, %bitcast, %square : tensor<4x4xf32>, tensor<4x8xf32>, tensor<i32>, tensor<3x4xi32>, tensor<2x2xf32>, tensor<4x4xf32>, tensor<5x11xf32>, tensor<4x4xf32>, tensor<4x3xcomplex<f32>>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xui64>, tensor<8xui32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<3x2x4xf32>, tensor<3x5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>, tensor<2x2xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x2xf32>, tensor<1x4x4x3xf32>, tensor<4x2xf16>, tensor<4x4xf32>
}
