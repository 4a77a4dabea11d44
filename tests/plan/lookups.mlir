// What is looked up by number, and what is added up by number, may be sharded otherwise than what is computed
// from it: messages of a graph are read and summed up column by column, where every device has all nodes, and
// computed row by row.  By hand:
//
// RUN: tess plan %s --target h100x8 --devices 512 --keep annotations --budget 1 --json > %t.hand.json
//
// The model suggests as much without that, so that few plans are evaluated:
//
// RUN: sed 's/ *{sdy.sharding = [^>]*>]>}//; /sdy.mesh/d' %s > %t.bare.mlir
// RUN: tess plan %t.bare.mlir --target h100x8 --devices 512 --mesh 'data=*' --budget 40 --json > %t.json
// RUN: %python %S/not_slower.py %t.json %t.hand.json
//
// Changes in one place after the other take much from what the best tactic takes, of a program without layers, too:
//
// RUN: tess plan %t.bare.mlir --target h100x8 --devices 16 --mesh data=2,model=8 --budget 400 --json > %t.changed.json
// RUN: tess plan %t.bare.mlir --target h100x8 --devices 16 --mesh data=2,model=8 \
// RUN:   --tactic 'context over data; context over model' --json > %t.tactic.json
// RUN: %python %S/not_slower.py --share 0.6 %t.changed.json %t.tactic.json
//
// A change may lead to a plan of fewer axes, where the changes that were listed before mean nothing:
//
// RUN: tess plan %t.bare.mlir --target cpu --devices 32 | FileCheck %s --check-prefix=FEWER
// FEWER: mesh data=32
//
// Each plan says where it comes from, and each decision how much it gains in the unit that suits it:
//
// RUN: tess plan %t.bare.mlir --target h100x8 --devices 4 | FileCheck %s --check-prefix=ORIGIN \
// RUN:   --implicit-check-not='; ,' --implicit-check-not='0.0{{[0-9]+}} ms less'
// ORIGIN: less memory, more time
// ORIGIN: all arguments whole, then changed where that helps

module {
  sdy.mesh @mesh = <["data"=512]>
  func.func @main(%n0: tensor<262144x512xbf16>, %from: tensor<2097152x1xi32>, %to: tensor<2097152x1xi32>,
                  %w: tensor<512x512xbf16>) -> tensor<262144x512xbf16> {
    %zero = stablehlo.constant dense<0.0> : tensor<262144x512xbf16>
    %sent0 = "stablehlo.gather"(%n0, %from) <{
        dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        indices_are_sorted = false, slice_sizes = array<i64: 1, 512>}>
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}]>]>}
        : (tensor<262144x512xbf16>, tensor<2097152x1xi32>) -> tensor<2097152x512xbf16>
    %message0 = stablehlo.dot_general %sent0, %w, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}
        : (tensor<2097152x512xbf16>, tensor<512x512xbf16>) -> tensor<2097152x512xbf16>
    %received0 = "stablehlo.scatter"(%zero, %to, %message0) <{indices_are_sorted = false,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
        unique_indices = false}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %sum = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %sum : tensor<bf16>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}]>]>}
        : (tensor<262144x512xbf16>, tensor<2097152x1xi32>, tensor<2097152x512xbf16>) -> tensor<262144x512xbf16>
    %n1 = stablehlo.dot_general %received0, %w, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}
        : (tensor<262144x512xbf16>, tensor<512x512xbf16>) -> tensor<262144x512xbf16>
    %sent1 = "stablehlo.gather"(%n1, %from) <{
        dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        indices_are_sorted = false, slice_sizes = array<i64: 1, 512>}>
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}]>]>}
        : (tensor<262144x512xbf16>, tensor<2097152x1xi32>) -> tensor<2097152x512xbf16>
    %message1 = stablehlo.dot_general %sent1, %w, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}
        : (tensor<2097152x512xbf16>, tensor<512x512xbf16>) -> tensor<2097152x512xbf16>
    %received1 = "stablehlo.scatter"(%zero, %to, %message1) <{indices_are_sorted = false,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
        unique_indices = false}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %sum = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %sum : tensor<bf16>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"data"}]>]>}
        : (tensor<262144x512xbf16>, tensor<2097152x1xi32>, tensor<2097152x512xbf16>) -> tensor<262144x512xbf16>
    %n2 = stablehlo.dot_general %received1, %w, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}
        : (tensor<262144x512xbf16>, tensor<512x512xbf16>) -> tensor<262144x512xbf16>
    return %n2 : tensor<262144x512xbf16>
  }
}
