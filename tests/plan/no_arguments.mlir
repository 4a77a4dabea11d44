// No tactic applies to a program without arguments. On the program's own mesh its constraint is tried, on others the
// plan without annotations.
//
// RUN: tess plan %s --devices 2 | FileCheck %s --check-prefix=OWN
// RUN: tess plan %s --devices 4 | FileCheck %s --check-prefix=OTHER
// OWN: as annotated
// OTHER: without annotations

sdy.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
