// RUN: (! tess opt %s -split-input-file 2>&1) | FileCheck %s --strict-whitespace
// Errors about shardings point into them: of arguments, results, values, in either form.

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @args(%a: tensor<8x16xf32>, %b: tensor<8x16xf32> {a.b = [{c = 1}], sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"z"}]>}) {
  return
}
// CHECK: error[E0214]: unknown axis "z"
// CHECK-NEXT: {{^}}func.func @args(%a: tensor<8x16xf32>, %b: tensor<8x16xf32> {a.b = [{c = 1}], sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"z"}]>}) {
// CHECK-NEXT: {{^}}                                                                                                                          ^~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @results(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>,
    tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mosh, [{"x"}, {}]>}) {
  return %a, %a : tensor<8x16xf32>, tensor<8x16xf32>
}
// CHECK: error[E0210]: 'func.func' op result 1: there is no mesh @mosh
// CHECK-NEXT: {{^}}    tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mosh, [{"x"}, {}]>}) {
// CHECK-NEXT: {{^}}                                                   ^~~~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
"func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "generic",
    arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "x"}]>}]}> ({
^bb0(%a: tensor<8xf32>):
  "func.return"(%a) : (tensor<8xf32>) -> ()
}) : () -> ()
// CHECK: error[E0213]: axis "x" already shards dimension 0
// CHECK-NEXT: {{^}}    arg_attrs =
// CHECK-NEXT: {{^}}                                                                  ^~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
#spread = #sdy.sharding<@mesh, [{"y"}, {"x", "y"}]>
func.func @alias(%a: tensor<8x16xf32> {sdy.sharding = #spread}) {
  return
}
// CHECK: error[E0213]: axis "y" already shards dimension 0
// CHECK-NEXT: {{^}}#spread =
// CHECK-NEXT: {{^}}                                             ^~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @values(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", "y"}, {}], replicated={"y"}> : tensor<8x16xf32>
  %1:2 = stablehlo.custom_call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}, {}]>]>} : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  %2 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)3}, {}p1], unreduced={"y", "x"}>]>} : tensor<8x16xf32>
  return %a : tensor<8x16xf32>
}
// CHECK: error[E0213]: axis "y" already shards dimension 0
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                                                                        ^~~{{$}}
// CHECK: error[E0211]: 'stablehlo.custom_call' op result 1: the sharding is of rank 3, but the tensor is of rank 2
// CHECK-NEXT: {{^}}  %1:2 =
// CHECK-NEXT: {{^}}                                                                                                  ^~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK: error[E0226]: dimension 1 is empty and closed: a priority has nothing to order
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                                      ^~~~{{$}}
// CHECK: error[E0220]: "x":(1)3: 1 * 3 does not divide the size 2 of the axis
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                           ^~~~~~~~{{$}}
// CHECK: error[E0224]: unreduced axes must be in the order of the mesh: "x" goes before "y"
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                                                                             ^~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @manual(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x16xf32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{}, {"y", "x"}]> : tensor<4x16xf32>
    sdy.return %1 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x16xf32>) {
    sdy.return %b : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "w"} (%b: tensor<4x16xf32>) {
    sdy.return %b : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// CHECK: error[E0403]: 'sdy.sharding_constraint' op uses axis "x", which a manual computation around it binds
// CHECK-NEXT: {{^}}    %1 =
// CHECK-NEXT: {{^}}                                                       ^~~{{$}}
// CHECK-NEXT: note: bound here
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                                                                                                                        ^~~{{$}}
// CHECK: error[E0408]: 'sdy.manual_computation' op operand sharding 0 has the manual axis "x" after the free axis "y" on dimension 0; manual axes come first
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                               ^~~{{$}}
// CHECK: error[E0214]: 'sdy.manual_computation' op binds axis "w", which its mesh does not have
// CHECK-NEXT: {{^}}  %3 =
// CHECK-NEXT: {{^}}                                                                                                                             ^~~{{$}}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @collectives(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x16xf32> {
  %0 = sdy.all_gather [{"x"}, {"z"}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  %1 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  %2 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x16xf32>
  %3 = sdy.all_to_all [{"x"}: 0->2] %a out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x16xf32>
  %4 = sdy.all_reduce {"y", "x"} %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// CHECK: error[E0214]: 'sdy.all_gather' op names axis "z", which its mesh does not have
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                               ^~~{{$}}
// CHECK: error[E0405]: 'sdy.all_gather' op takes "y" off dimension 0, but the axes of that dimension are {"x"} and do not end in it
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                        ^~~{{$}}
// CHECK: error[E0405]: 'sdy.all_gather' op has a result with {"x"} on dimension 1, but its operand and its axes make it {"y"}
// CHECK-NEXT: {{^}}  %2 =
// CHECK-NEXT: {{^}}                                                               ^~~~~{{$}}
// CHECK: error[E0405]: 'sdy.all_to_all' op moves axes to dimension 2 of a tensor of rank 2
// CHECK-NEXT: {{^}}  %3 =
// CHECK-NEXT: {{^}}                       ^~~~~~~~~~~{{$}}
// CHECK: error[E0223]: 'sdy.all_reduce' op names axes {"y", "x"}, which must be in the order of its mesh: "x" goes before "y"
// CHECK-NEXT: {{^}}  %4 =
// CHECK-NEXT: {{^}}                            ^~~{{$}}

// -----

func.func @rule(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, i]) {i=8, j=16}>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} reduction={j}>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// CHECK: error[E0451]: result 0 has factor i twice
// CHECK-NEXT: {{^}}  %0 =
// CHECK-NEXT: {{^}}                                                                                              ^{{$}}
// CHECK: error[E0451]: factor j is reduced and cannot be in a result
// CHECK-NEXT: {{^}}  %1 =
// CHECK-NEXT: {{^}}                                                                                                              ^~~~~~~~~~~~~{{$}}
