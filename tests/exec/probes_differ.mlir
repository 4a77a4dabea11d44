// RUN: ! tess eval %s 2>&1 | FileCheck %s
// A value that a probe did not see, and a probe that saw nothing.

func.func @main() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
  %0 = interpreter.probe %a, probe_id = "kept" : tensor<2xf32>
  // CHECK: probes_differ.mlir:[[#@LINE+1]]:{{.*}}the probe has seen another value
  check.expect_serialized_eq %b, probe_id = "kept" : tensor<2xf32>
  // CHECK: probes_differ.mlir:[[#@LINE+1]]:{{.*}}no such probe has seen a value
  check.expect_serialized_eq %b, probe_id = "lost" : tensor<2xf32>
  return
}
