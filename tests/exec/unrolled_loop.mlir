// Short loops over element-wise operations are written out: values that change places, a limit that
// counts, no round at all.  Those that are long, or whose counter may leave its range, go round.
// RUN: tess run %s --trace %t.json
// RUN: %python -c "import json, sys; print(sorted({e['args']['line'] for e in json.load(open(sys.argv[1]))['traceEvents'] if e['name'] == 'stablehlo.while'}))" %t.json | FileCheck %s
// CHECK: [48, 62]

func.func private @turn(%a: tensor<4xui32>, %b: tensor<4xui32>, %by: tensor<ui32>) -> (tensor<4xui32>, tensor<4xui32>) {
  %0 = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<ui32>) -> tensor<4xui32>
  %1 = stablehlo.shift_left %b, %0 : tensor<4xui32>
  %2 = stablehlo.add %a, %1 : tensor<4xui32>
  return %b, %2 : tensor<4xui32>, tensor<4xui32>
}

func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xui32>
  %b = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xui32>
  // (a, b) becomes (b, a + 2 b), three times: (2 a + 5 b, 5 a + 12 b).
  %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %limit = stablehlo.constant dense<2> : tensor<i32>
    %more = stablehlo.compare LE, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %1:2 = func.call @turn(%x, %y, %one) : (tensor<4xui32>, tensor<4xui32>, tensor<ui32>) -> (tensor<4xui32>, tensor<4xui32>)
    %2 = stablehlo.add %step, %i : tensor<i32>
    stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<4xui32>, tensor<4xui32>
  }
  check.expect_eq_const %0#0, dense<3> : tensor<i32>
  check.expect_eq_const %0#1, dense<[27, 34, 41, 48]> : tensor<4xui32>
  check.expect_eq_const %0#2, dense<[65, 82, 99, 116]> : tensor<4xui32>

  %3:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4xui32>
  cond {
    %more = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %4, %b : tensor<i32>, tensor<4xui32>
  }
  check.expect_eq_const %3#1, dense<[1, 2, 3, 4]> : tensor<4xui32>

  // 0, 50, 100, -106, …, 126: 23 rounds, since 150 is not in the range.
  %start = stablehlo.constant dense<0> : tensor<i8>
  %5:2 = stablehlo.while(%i = %start, %x = %a) : tensor<i8>, tensor<4xui32>
  cond {
    %limit = stablehlo.constant dense<105> : tensor<i8>
    %more = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<50> : tensor<i8>
    %6 = stablehlo.add %i, %step : tensor<i8>
    %7 = stablehlo.add %x, %a : tensor<4xui32>
    stablehlo.return %6, %7 : tensor<i8>, tensor<4xui32>
  }
  check.expect_eq_const %5#0, dense<126> : tensor<i8>
  check.expect_eq_const %5#1, dense<[24, 48, 72, 96]> : tensor<4xui32>

  %8:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4xui32>
  cond {
    %limit = stablehlo.constant dense<9> : tensor<i32>
    %more = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.add %i, %step : tensor<i32>
    %10 = stablehlo.add %x, %a : tensor<4xui32>
    stablehlo.return %9, %10 : tensor<i32>, tensor<4xui32>
  }
  check.expect_eq_const %8#1, dense<[10, 20, 30, 40]> : tensor<4xui32>
  return
}
