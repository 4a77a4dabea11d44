// RUN: tess eval %s --quiet
// Products of bf16 whose sums f32 holds exactly: as products of f32, rounded once.

func.func @main() {
  // k is odd, and nothing a multiple of a block.
  %a0_i = stablehlo.iota dim = 0 : tensor<45x33xi32>
  %a0_j = stablehlo.iota dim = 1 : tensor<45x33xi32>
  %a0_3 = stablehlo.add %a0_j, %a0_j : tensor<45x33xi32>
  %a0_s = stablehlo.add %a0_i, %a0_3 : tensor<45x33xi32>
  %a0_p = stablehlo.multiply %a0_i, %a0_j : tensor<45x33xi32>
  %a0_q = stablehlo.add %a0_s, %a0_p : tensor<45x33xi32>
  %a0_11 = stablehlo.constant dense<11> : tensor<45x33xi32>
  %a0_r = stablehlo.remainder %a0_q, %a0_11 : tensor<45x33xi32>
  %a0_5 = stablehlo.constant dense<5> : tensor<45x33xi32>
  %a0_t = stablehlo.subtract %a0_r, %a0_5 : tensor<45x33xi32>
  %a0_f = stablehlo.convert %a0_t : (tensor<45x33xi32>) -> tensor<45x33xf32>
  %a0_h = stablehlo.convert %a0_t : (tensor<45x33xi32>) -> tensor<45x33xbf16>
  %b0_i = stablehlo.iota dim = 0 : tensor<33x51xi32>
  %b0_j = stablehlo.iota dim = 1 : tensor<33x51xi32>
  %b0_3 = stablehlo.add %b0_j, %b0_j : tensor<33x51xi32>
  %b0_s = stablehlo.add %b0_i, %b0_3 : tensor<33x51xi32>
  %b0_p = stablehlo.multiply %b0_i, %b0_j : tensor<33x51xi32>
  %b0_q = stablehlo.add %b0_s, %b0_p : tensor<33x51xi32>
  %b0_11 = stablehlo.constant dense<11> : tensor<33x51xi32>
  %b0_r = stablehlo.remainder %b0_q, %b0_11 : tensor<33x51xi32>
  %b0_5 = stablehlo.constant dense<5> : tensor<33x51xi32>
  %b0_t = stablehlo.subtract %b0_r, %b0_5 : tensor<33x51xi32>
  %b0_f = stablehlo.convert %b0_t : (tensor<33x51xi32>) -> tensor<33x51xf32>
  %b0_h = stablehlo.convert %b0_t : (tensor<33x51xi32>) -> tensor<33x51xbf16>
  %w0 = stablehlo.dot_general %a0_f, %b0_f, contracting_dims = [1] x [0] : (tensor<45x33xf32>, tensor<33x51xf32>) -> tensor<45x51xf32>
  %x0 = stablehlo.dot_general %a0_h, %b0_h, contracting_dims = [1] x [0] : (tensor<45x33xbf16>, tensor<33x51xbf16>) -> tensor<45x51xf32>
  %y0 = stablehlo.dot_general %a0_h, %b0_h, contracting_dims = [1] x [0] : (tensor<45x33xbf16>, tensor<33x51xbf16>) -> tensor<45x51xbf16>
  check.expect_eq %x0, %w0 : tensor<45x51xf32>
  %z0 = stablehlo.convert %w0 : (tensor<45x51xf32>) -> tensor<45x51xbf16>
  check.expect_eq %y0, %z0 : tensor<45x51xbf16>

  // Both transposed.
  %a1_i = stablehlo.iota dim = 0 : tensor<33x45xi32>
  %a1_j = stablehlo.iota dim = 1 : tensor<33x45xi32>
  %a1_3 = stablehlo.add %a1_j, %a1_j : tensor<33x45xi32>
  %a1_s = stablehlo.add %a1_i, %a1_3 : tensor<33x45xi32>
  %a1_p = stablehlo.multiply %a1_i, %a1_j : tensor<33x45xi32>
  %a1_q = stablehlo.add %a1_s, %a1_p : tensor<33x45xi32>
  %a1_11 = stablehlo.constant dense<11> : tensor<33x45xi32>
  %a1_r = stablehlo.remainder %a1_q, %a1_11 : tensor<33x45xi32>
  %a1_5 = stablehlo.constant dense<5> : tensor<33x45xi32>
  %a1_t = stablehlo.subtract %a1_r, %a1_5 : tensor<33x45xi32>
  %a1_f = stablehlo.convert %a1_t : (tensor<33x45xi32>) -> tensor<33x45xf32>
  %a1_h = stablehlo.convert %a1_t : (tensor<33x45xi32>) -> tensor<33x45xbf16>
  %b1_i = stablehlo.iota dim = 0 : tensor<51x33xi32>
  %b1_j = stablehlo.iota dim = 1 : tensor<51x33xi32>
  %b1_3 = stablehlo.add %b1_j, %b1_j : tensor<51x33xi32>
  %b1_s = stablehlo.add %b1_i, %b1_3 : tensor<51x33xi32>
  %b1_p = stablehlo.multiply %b1_i, %b1_j : tensor<51x33xi32>
  %b1_q = stablehlo.add %b1_s, %b1_p : tensor<51x33xi32>
  %b1_11 = stablehlo.constant dense<11> : tensor<51x33xi32>
  %b1_r = stablehlo.remainder %b1_q, %b1_11 : tensor<51x33xi32>
  %b1_5 = stablehlo.constant dense<5> : tensor<51x33xi32>
  %b1_t = stablehlo.subtract %b1_r, %b1_5 : tensor<51x33xi32>
  %b1_f = stablehlo.convert %b1_t : (tensor<51x33xi32>) -> tensor<51x33xf32>
  %b1_h = stablehlo.convert %b1_t : (tensor<51x33xi32>) -> tensor<51x33xbf16>
  %w1 = stablehlo.dot_general %a1_f, %b1_f, contracting_dims = [0] x [1] : (tensor<33x45xf32>, tensor<51x33xf32>) -> tensor<45x51xf32>
  %x1 = stablehlo.dot_general %a1_h, %b1_h, contracting_dims = [0] x [1] : (tensor<33x45xbf16>, tensor<51x33xbf16>) -> tensor<45x51xf32>
  %y1 = stablehlo.dot_general %a1_h, %b1_h, contracting_dims = [0] x [1] : (tensor<33x45xbf16>, tensor<51x33xbf16>) -> tensor<45x51xbf16>
  check.expect_eq %x1, %w1 : tensor<45x51xf32>
  %z1 = stablehlo.convert %w1 : (tensor<45x51xf32>) -> tensor<45x51xbf16>
  check.expect_eq %y1, %z1 : tensor<45x51xbf16>

  // k even and side by side in both.
  %a2_i = stablehlo.iota dim = 0 : tensor<27x64xi32>
  %a2_j = stablehlo.iota dim = 1 : tensor<27x64xi32>
  %a2_3 = stablehlo.add %a2_j, %a2_j : tensor<27x64xi32>
  %a2_s = stablehlo.add %a2_i, %a2_3 : tensor<27x64xi32>
  %a2_p = stablehlo.multiply %a2_i, %a2_j : tensor<27x64xi32>
  %a2_q = stablehlo.add %a2_s, %a2_p : tensor<27x64xi32>
  %a2_11 = stablehlo.constant dense<11> : tensor<27x64xi32>
  %a2_r = stablehlo.remainder %a2_q, %a2_11 : tensor<27x64xi32>
  %a2_5 = stablehlo.constant dense<5> : tensor<27x64xi32>
  %a2_t = stablehlo.subtract %a2_r, %a2_5 : tensor<27x64xi32>
  %a2_f = stablehlo.convert %a2_t : (tensor<27x64xi32>) -> tensor<27x64xf32>
  %a2_h = stablehlo.convert %a2_t : (tensor<27x64xi32>) -> tensor<27x64xbf16>
  %b2_i = stablehlo.iota dim = 0 : tensor<40x64xi32>
  %b2_j = stablehlo.iota dim = 1 : tensor<40x64xi32>
  %b2_3 = stablehlo.add %b2_j, %b2_j : tensor<40x64xi32>
  %b2_s = stablehlo.add %b2_i, %b2_3 : tensor<40x64xi32>
  %b2_p = stablehlo.multiply %b2_i, %b2_j : tensor<40x64xi32>
  %b2_q = stablehlo.add %b2_s, %b2_p : tensor<40x64xi32>
  %b2_11 = stablehlo.constant dense<11> : tensor<40x64xi32>
  %b2_r = stablehlo.remainder %b2_q, %b2_11 : tensor<40x64xi32>
  %b2_5 = stablehlo.constant dense<5> : tensor<40x64xi32>
  %b2_t = stablehlo.subtract %b2_r, %b2_5 : tensor<40x64xi32>
  %b2_f = stablehlo.convert %b2_t : (tensor<40x64xi32>) -> tensor<40x64xf32>
  %b2_h = stablehlo.convert %b2_t : (tensor<40x64xi32>) -> tensor<40x64xbf16>
  %w2 = stablehlo.dot_general %a2_f, %b2_f, contracting_dims = [1] x [1] : (tensor<27x64xf32>, tensor<40x64xf32>) -> tensor<27x40xf32>
  %x2 = stablehlo.dot_general %a2_h, %b2_h, contracting_dims = [1] x [1] : (tensor<27x64xbf16>, tensor<40x64xbf16>) -> tensor<27x40xf32>
  %y2 = stablehlo.dot_general %a2_h, %b2_h, contracting_dims = [1] x [1] : (tensor<27x64xbf16>, tensor<40x64xbf16>) -> tensor<27x40xbf16>
  check.expect_eq %x2, %w2 : tensor<27x40xf32>
  %z2 = stablehlo.convert %w2 : (tensor<27x40xf32>) -> tensor<27x40xbf16>
  check.expect_eq %y2, %z2 : tensor<27x40xbf16>

  // Batches.
  %a3_i = stablehlo.iota dim = 1 : tensor<3x19x36xi32>
  %a3_j = stablehlo.iota dim = 2 : tensor<3x19x36xi32>
  %a3_3 = stablehlo.add %a3_j, %a3_j : tensor<3x19x36xi32>
  %a3_s = stablehlo.add %a3_i, %a3_3 : tensor<3x19x36xi32>
  %a3_p = stablehlo.multiply %a3_i, %a3_j : tensor<3x19x36xi32>
  %a3_q = stablehlo.add %a3_s, %a3_p : tensor<3x19x36xi32>
  %a3_11 = stablehlo.constant dense<11> : tensor<3x19x36xi32>
  %a3_r = stablehlo.remainder %a3_q, %a3_11 : tensor<3x19x36xi32>
  %a3_5 = stablehlo.constant dense<5> : tensor<3x19x36xi32>
  %a3_t = stablehlo.subtract %a3_r, %a3_5 : tensor<3x19x36xi32>
  %a3_f = stablehlo.convert %a3_t : (tensor<3x19x36xi32>) -> tensor<3x19x36xf32>
  %a3_h = stablehlo.convert %a3_t : (tensor<3x19x36xi32>) -> tensor<3x19x36xbf16>
  %b3_i = stablehlo.iota dim = 1 : tensor<3x36x33xi32>
  %b3_j = stablehlo.iota dim = 2 : tensor<3x36x33xi32>
  %b3_3 = stablehlo.add %b3_j, %b3_j : tensor<3x36x33xi32>
  %b3_s = stablehlo.add %b3_i, %b3_3 : tensor<3x36x33xi32>
  %b3_p = stablehlo.multiply %b3_i, %b3_j : tensor<3x36x33xi32>
  %b3_q = stablehlo.add %b3_s, %b3_p : tensor<3x36x33xi32>
  %b3_11 = stablehlo.constant dense<11> : tensor<3x36x33xi32>
  %b3_r = stablehlo.remainder %b3_q, %b3_11 : tensor<3x36x33xi32>
  %b3_5 = stablehlo.constant dense<5> : tensor<3x36x33xi32>
  %b3_t = stablehlo.subtract %b3_r, %b3_5 : tensor<3x36x33xi32>
  %b3_f = stablehlo.convert %b3_t : (tensor<3x36x33xi32>) -> tensor<3x36x33xf32>
  %b3_h = stablehlo.convert %b3_t : (tensor<3x36x33xi32>) -> tensor<3x36x33xbf16>
  %w3 = stablehlo.dot_general %a3_f, %b3_f, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x19x36xf32>, tensor<3x36x33xf32>) -> tensor<3x19x33xf32>
  %x3 = stablehlo.dot_general %a3_h, %b3_h, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x19x36xbf16>, tensor<3x36x33xbf16>) -> tensor<3x19x33xf32>
  %y3 = stablehlo.dot_general %a3_h, %b3_h, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x19x36xbf16>, tensor<3x36x33xbf16>) -> tensor<3x19x33xbf16>
  check.expect_eq %x3, %w3 : tensor<3x19x33xf32>
  %z3 = stablehlo.convert %w3 : (tensor<3x19x33xf32>) -> tensor<3x19x33xbf16>
  check.expect_eq %y3, %z3 : tensor<3x19x33xbf16>

  // Batches, transposed.
  %a4_i = stablehlo.iota dim = 1 : tensor<3x36x19xi32>
  %a4_j = stablehlo.iota dim = 2 : tensor<3x36x19xi32>
  %a4_3 = stablehlo.add %a4_j, %a4_j : tensor<3x36x19xi32>
  %a4_s = stablehlo.add %a4_i, %a4_3 : tensor<3x36x19xi32>
  %a4_p = stablehlo.multiply %a4_i, %a4_j : tensor<3x36x19xi32>
  %a4_q = stablehlo.add %a4_s, %a4_p : tensor<3x36x19xi32>
  %a4_11 = stablehlo.constant dense<11> : tensor<3x36x19xi32>
  %a4_r = stablehlo.remainder %a4_q, %a4_11 : tensor<3x36x19xi32>
  %a4_5 = stablehlo.constant dense<5> : tensor<3x36x19xi32>
  %a4_t = stablehlo.subtract %a4_r, %a4_5 : tensor<3x36x19xi32>
  %a4_f = stablehlo.convert %a4_t : (tensor<3x36x19xi32>) -> tensor<3x36x19xf32>
  %a4_h = stablehlo.convert %a4_t : (tensor<3x36x19xi32>) -> tensor<3x36x19xbf16>
  %b4_i = stablehlo.iota dim = 1 : tensor<3x33x36xi32>
  %b4_j = stablehlo.iota dim = 2 : tensor<3x33x36xi32>
  %b4_3 = stablehlo.add %b4_j, %b4_j : tensor<3x33x36xi32>
  %b4_s = stablehlo.add %b4_i, %b4_3 : tensor<3x33x36xi32>
  %b4_p = stablehlo.multiply %b4_i, %b4_j : tensor<3x33x36xi32>
  %b4_q = stablehlo.add %b4_s, %b4_p : tensor<3x33x36xi32>
  %b4_11 = stablehlo.constant dense<11> : tensor<3x33x36xi32>
  %b4_r = stablehlo.remainder %b4_q, %b4_11 : tensor<3x33x36xi32>
  %b4_5 = stablehlo.constant dense<5> : tensor<3x33x36xi32>
  %b4_t = stablehlo.subtract %b4_r, %b4_5 : tensor<3x33x36xi32>
  %b4_f = stablehlo.convert %b4_t : (tensor<3x33x36xi32>) -> tensor<3x33x36xf32>
  %b4_h = stablehlo.convert %b4_t : (tensor<3x33x36xi32>) -> tensor<3x33x36xbf16>
  %w4 = stablehlo.dot_general %a4_f, %b4_f, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<3x36x19xf32>, tensor<3x33x36xf32>) -> tensor<3x19x33xf32>
  %x4 = stablehlo.dot_general %a4_h, %b4_h, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<3x36x19xbf16>, tensor<3x33x36xbf16>) -> tensor<3x19x33xf32>
  %y4 = stablehlo.dot_general %a4_h, %b4_h, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<3x36x19xbf16>, tensor<3x33x36xbf16>) -> tensor<3x19x33xbf16>
  check.expect_eq %x4, %w4 : tensor<3x19x33xf32>
  %z4 = stablehlo.convert %w4 : (tensor<3x19x33xf32>) -> tensor<3x19x33xbf16>
  check.expect_eq %y4, %z4 : tensor<3x19x33xbf16>

  // Pairs that begin at an odd element.
  %a5_i = stablehlo.iota dim = 0 : tensor<46x42xi32>
  %a5_j = stablehlo.iota dim = 1 : tensor<46x42xi32>
  %a5_3 = stablehlo.add %a5_j, %a5_j : tensor<46x42xi32>
  %a5_s = stablehlo.add %a5_i, %a5_3 : tensor<46x42xi32>
  %a5_p = stablehlo.multiply %a5_i, %a5_j : tensor<46x42xi32>
  %a5_q = stablehlo.add %a5_s, %a5_p : tensor<46x42xi32>
  %a5_11 = stablehlo.constant dense<11> : tensor<46x42xi32>
  %a5_r = stablehlo.remainder %a5_q, %a5_11 : tensor<46x42xi32>
  %a5_5 = stablehlo.constant dense<5> : tensor<46x42xi32>
  %a5_t = stablehlo.subtract %a5_r, %a5_5 : tensor<46x42xi32>
  %a5_f = stablehlo.convert %a5_t : (tensor<46x42xi32>) -> tensor<46x42xf32>
  %a5_h = stablehlo.convert %a5_t : (tensor<46x42xi32>) -> tensor<46x42xbf16>
  %b5_i = stablehlo.iota dim = 0 : tensor<36x40xi32>
  %b5_j = stablehlo.iota dim = 1 : tensor<36x40xi32>
  %b5_3 = stablehlo.add %b5_j, %b5_j : tensor<36x40xi32>
  %b5_s = stablehlo.add %b5_i, %b5_3 : tensor<36x40xi32>
  %b5_p = stablehlo.multiply %b5_i, %b5_j : tensor<36x40xi32>
  %b5_q = stablehlo.add %b5_s, %b5_p : tensor<36x40xi32>
  %b5_11 = stablehlo.constant dense<11> : tensor<36x40xi32>
  %b5_r = stablehlo.remainder %b5_q, %b5_11 : tensor<36x40xi32>
  %b5_5 = stablehlo.constant dense<5> : tensor<36x40xi32>
  %b5_t = stablehlo.subtract %b5_r, %b5_5 : tensor<36x40xi32>
  %b5_f = stablehlo.convert %b5_t : (tensor<36x40xi32>) -> tensor<36x40xf32>
  %b5_h = stablehlo.convert %b5_t : (tensor<36x40xi32>) -> tensor<36x40xbf16>
  %a5_xf = stablehlo.slice %a5_f [3:46, 3:39] : (tensor<46x42xf32>) -> tensor<43x36xf32>
  %a5_xh = stablehlo.slice %a5_h [3:46, 3:39] : (tensor<46x42xbf16>) -> tensor<43x36xbf16>
  %w5 = stablehlo.dot_general %a5_xf, %b5_f, contracting_dims = [1] x [0] : (tensor<43x36xf32>, tensor<36x40xf32>) -> tensor<43x40xf32>
  %x5 = stablehlo.dot_general %a5_xh, %b5_h, contracting_dims = [1] x [0] : (tensor<43x36xbf16>, tensor<36x40xbf16>) -> tensor<43x40xf32>
  %y5 = stablehlo.dot_general %a5_xh, %b5_h, contracting_dims = [1] x [0] : (tensor<43x36xbf16>, tensor<36x40xbf16>) -> tensor<43x40xbf16>
  check.expect_eq %x5, %w5 : tensor<43x40xf32>
  %z5 = stablehlo.convert %w5 : (tensor<43x40xf32>) -> tensor<43x40xbf16>
  check.expect_eq %y5, %z5 : tensor<43x40xbf16>

  // Wider than four panels, deeper than one slab.
  %a6_i = stablehlo.iota dim = 0 : tensor<30x1100xi32>
  %a6_j = stablehlo.iota dim = 1 : tensor<30x1100xi32>
  %a6_3 = stablehlo.add %a6_j, %a6_j : tensor<30x1100xi32>
  %a6_s = stablehlo.add %a6_i, %a6_3 : tensor<30x1100xi32>
  %a6_p = stablehlo.multiply %a6_i, %a6_j : tensor<30x1100xi32>
  %a6_q = stablehlo.add %a6_s, %a6_p : tensor<30x1100xi32>
  %a6_11 = stablehlo.constant dense<11> : tensor<30x1100xi32>
  %a6_r = stablehlo.remainder %a6_q, %a6_11 : tensor<30x1100xi32>
  %a6_5 = stablehlo.constant dense<5> : tensor<30x1100xi32>
  %a6_t = stablehlo.subtract %a6_r, %a6_5 : tensor<30x1100xi32>
  %a6_f = stablehlo.convert %a6_t : (tensor<30x1100xi32>) -> tensor<30x1100xf32>
  %a6_h = stablehlo.convert %a6_t : (tensor<30x1100xi32>) -> tensor<30x1100xbf16>
  %b6_i = stablehlo.iota dim = 0 : tensor<1100x170xi32>
  %b6_j = stablehlo.iota dim = 1 : tensor<1100x170xi32>
  %b6_3 = stablehlo.add %b6_j, %b6_j : tensor<1100x170xi32>
  %b6_s = stablehlo.add %b6_i, %b6_3 : tensor<1100x170xi32>
  %b6_p = stablehlo.multiply %b6_i, %b6_j : tensor<1100x170xi32>
  %b6_q = stablehlo.add %b6_s, %b6_p : tensor<1100x170xi32>
  %b6_11 = stablehlo.constant dense<11> : tensor<1100x170xi32>
  %b6_r = stablehlo.remainder %b6_q, %b6_11 : tensor<1100x170xi32>
  %b6_5 = stablehlo.constant dense<5> : tensor<1100x170xi32>
  %b6_t = stablehlo.subtract %b6_r, %b6_5 : tensor<1100x170xi32>
  %b6_f = stablehlo.convert %b6_t : (tensor<1100x170xi32>) -> tensor<1100x170xf32>
  %b6_h = stablehlo.convert %b6_t : (tensor<1100x170xi32>) -> tensor<1100x170xbf16>
  %w6 = stablehlo.dot_general %a6_f, %b6_f, contracting_dims = [1] x [0] : (tensor<30x1100xf32>, tensor<1100x170xf32>) -> tensor<30x170xf32>
  %x6 = stablehlo.dot_general %a6_h, %b6_h, contracting_dims = [1] x [0] : (tensor<30x1100xbf16>, tensor<1100x170xbf16>) -> tensor<30x170xf32>
  %y6 = stablehlo.dot_general %a6_h, %b6_h, contracting_dims = [1] x [0] : (tensor<30x1100xbf16>, tensor<1100x170xbf16>) -> tensor<30x170xbf16>
  check.expect_eq %x6, %w6 : tensor<30x170xf32>
  %z6 = stablehlo.convert %w6 : (tensor<30x170xf32>) -> tensor<30x170xbf16>
  check.expect_eq %y6, %z6 : tensor<30x170xbf16>

  // Infinities stay in their rows.
  %ones = stablehlo.constant dense<1.0> : tensor<64x32xbf16>
  %inf = stablehlo.constant dense<0x7F80> : tensor<1x32xbf16>
  %more = stablehlo.constant dense<1.0> : tensor<32x64xbf16>
  %rows = stablehlo.concatenate %ones, %inf, dim = 0 : (tensor<64x32xbf16>, tensor<1x32xbf16>) -> tensor<65x32xbf16>
  %mixed = stablehlo.dot_general %rows, %more, contracting_dims = [1] x [0] : (tensor<65x32xbf16>, tensor<32x64xbf16>) -> tensor<65x64xbf16>
  %finite = stablehlo.slice %mixed [0:64, 0:64] : (tensor<65x64xbf16>) -> tensor<64x64xbf16>
  %infinite = stablehlo.slice %mixed [64:65, 0:64] : (tensor<65x64xbf16>) -> tensor<1x64xbf16>
  check.expect_eq_const %finite, dense<32.0> : tensor<64x64xbf16>
  check.expect_eq_const %infinite, dense<0x7F80> : tensor<1x64xbf16>

  // Nothing to add up, and nothing to compute.
  %none = stablehlo.constant dense<1.0> : tensor<40x0xbf16>
  %nothing = stablehlo.constant dense<1.0> : tensor<0x40xbf16>
  %zero = stablehlo.dot_general %none, %nothing, contracting_dims = [1] x [0] : (tensor<40x0xbf16>, tensor<0x40xbf16>) -> tensor<40x40xbf16>
  check.expect_eq_const %zero, dense<0.0> : tensor<40x40xbf16>
  %empty = stablehlo.dot_general %nothing, %none, contracting_dims = [1] x [0] : (tensor<0x40xbf16>, tensor<40x0xbf16>) -> tensor<0x0xbf16>
  return
}
