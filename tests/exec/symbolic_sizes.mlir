// Dimensions that jax.export leaves open get sizes by the names in the messages of its checks, which are made.
// RUN: tess verify %s --dim b=4 --dim t=6 --mesh x=2 --arg '0=[{"x"}, {}]' | FileCheck %s --check-prefix=VERIFY
// RUN: tess shard %s --dim b=4,t=6 --mesh x=2 --arg '0=[{"x"}, {}]' | FileCheck %s
// RUN: tess shard %s --dim b=4,t=6 --table | FileCheck %s --check-prefix=NAMES
// RUN: tess shard %s --dim 0.0=6,0.1=4,1.0=4,1.1=6 | FileCheck %s --check-prefix=DIMS
// RUN: (tess report %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: (tess report %s --dim b=4; echo status $?) 2>&1 | FileCheck %s --check-prefix=LACKS
// RUN: (tess report %s --dim b=4,t=6,c=1; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: (tess report %s --dim b=4,t=6,2.0=1; echo status $?) 2>&1 | FileCheck %s --check-prefix=NODIM
// RUN: (tess report %s --dim b=1,t=6; echo status $?) 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: (tess report %s --dim b=4,t; echo status $?) 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: (tess report %s --dim b=-4,t=6; echo status $?) 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: (tess report %s --dim b=4000000000,t=9223372036854775807; echo status $?) 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: (tess verify %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: (tess advise %s; tess explain %s --plan; tess lint %s; tess plan %s --devices 2; echo status $?) 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: tess plan %s --devices 2 --dim b=4 --dim t=6 | FileCheck %s --check-prefix=PLAN

// VERIFY: 2 comparisons agree on 2 devices
// CHECK: func.func public @main(%arg0: tensor<4x9xf32> {{.*}}, %arg1: tensor<9x3xf32>
// CHECK-SAME: -> (tensor<4x3xf32>{{.*}}, tensor<f32>
// CHECK-NOT: shape_assertion
// NAMES: %arg0 {{.*}} argument, params['x']
// DIMS: (tensor<6x4xf32>, tensor<4x6xf32>)
// OPEN: error[E0507]: propagation needs ranked tensors of static shape: give the sizes of open dimensions with --dim
// OPEN: status 1
// UNKNOWN: error[E0004]: dimension 0 of argument 0 is open: give its size with --dim (with_dims() in Python), or give inputs
// UNKNOWN: status 1
// FIRST-COUNT-4: error[E0507]: argument 0 of @main has an open dimension: give its size with --dim (with_dims() in Python)
// FIRST: status 1
// PLAN: plans evaluated
// LACKS: error[E0004]: dimension 1 of argument 0 is 'floordiv(3*t, 2)', but no size is given for 't'
// LACKS: status 1
// NONE: dim:1:9: error[E0004]: no dimension of an argument that is open depends on 'c'
// NODIM: error[E0004]: argument 2 has no open dimension 0
// CHECKED: error[E0701]: {{.*}}Expected 'b - 2' to be greater or equal to 0, but found -1
// SYNTAX: dim:1:6: error[E0230]: expected '=', found the end of the text
// NEGATIVE: dim:1:1: error[E0004]: a size cannot be negative
// LARGE: error[E0004]: dimension 1 of argument 0, 'floordiv(3*t, 2)', is not a size that can be computed
// LARGE: status 1
func.func public @main(%arg0: tensor<?x?xf32> loc(unknown), %arg1: tensor<?x?xf32> loc(unknown)) -> (tensor<?x?xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %b = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %half = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %rows = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %rest = stablehlo.subtract %b, %two : tensor<i32>
  %enough = stablehlo.compare GE, %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%enough, %rest, %b, %n) {has_side_effect = true, error_message = "Expected 'b - 2' to be greater or equal to 0, but found {0}. Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0]['x'].shape[0] (= {1}), 't' = {2} from specification 'floordiv(3*t, 2)' for dimension args[0]['x'].shape[1] (= {2})."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
  %same = stablehlo.compare EQ, %rows, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %rows, %n) {has_side_effect = true, error_message = "Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'floordiv(3*t, 2)' (= {1})."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  stablehlo.custom_call @shape_assertion(%same, %half, %n) {has_side_effect = true, error_message = "Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 'max(t, 2) - t^1 - (-1)^9000000000000000001 - 1 + -1*min(-(t), 0) - floordiv(t + 1, 2)' (= {1})."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %0:2 = call @program(%b, %half, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<f32>
}
func.func private @program(%b: tensor<i32>, %t: tensor<i32>, %x: tensor<?x?xf32> loc("params['x']"), %w: tensor<?x?xf32> loc("w")) -> (tensor<?x?xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.dot %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n = stablehlo.reshape %t : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
  %all = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %z = stablehlo.add %y, %all : tensor<?x?xf32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  return %z, %sum : tensor<?x?xf32>, tensor<f32>
}
