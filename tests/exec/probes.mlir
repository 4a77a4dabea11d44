// RUN: tess eval %s --quiet
// Values that are kept each time a probe sees one, to be compared later.

func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  interpreter.print %a : tensor<2xf32>
  interpreter.print %b : tensor<2x2xi32>
  %0 = interpreter.probe %a, probe_id = "kept" : tensor<2xf32>
  check.expect_serialized_eq %0, probe_id = "kept" : tensor<2xf32>
  %1 = interpreter.probe %b, probe_id = "numbers" : tensor<2x2xi32>
  %2 = interpreter.probe %a, probe_id = "kept" : tensor<2xf32>
  "check.expect_serialized_eq"(%2) <{iteration = 1 : i64, probe_id = "kept"}> : (tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
