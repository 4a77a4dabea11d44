// Functions that run beside each other are no program to be partitioned: what was printed named
// functions that it had not.
// RUN: for c in "partition" "run" "verify" "report"; do (tess $c %s; echo status $?) 2>&1 | FileCheck %s || exit 1; done
// RUN: tess eval %s --quiet
// CHECK: run_parallel.mlir:[[#@LINE+9]]:8: error[E0609]: 'interpreter.run_parallel' op: it says itself which device runs what; tess eval runs it
// CHECK: status 1

func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "interpreter.run_parallel"(%x) {programs = [[@twice]]} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
