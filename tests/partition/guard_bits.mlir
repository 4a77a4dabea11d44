// XLA has no all-reduce by xor, nor by the `and` and `or` of integers: for it the parts of all devices are
// gathered, or exchanged where each device keeps a part, and each device reduces them.
// RUN: tess partition %s | FileCheck %s
// RUN: tess verify %s | FileCheck %s --check-prefix=VERIFY
// VERIFY: 5 comparisons agree on 4 devices

sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: func.func @main
// CHECK: %[[BITS:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[ROW:.*]] = stablehlo.reshape %[[BITS]] : (tensor<3xi32>) -> tensor<1x3xi32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[ROW]]) <{all_gather_dim = 0 : i64, {{.*}}dense<{{\[\[}}0, 1], [2, 3]]>{{.*}} -> tensor<2x3xi32>
// CHECK: stablehlo.reduce(%[[ALL]] init: %{{.*}}) applies stablehlo.xor across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.and across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.xor across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
// CHECK: "stablehlo.all_reduce"
// CHECK: %[[MINE:.*]] = stablehlo.transpose {{.*}} dims = [1, 0, 2] : (tensor<3x2x4xi32>) -> tensor<2x3x4xi32>
// CHECK: %[[PARTS:.*]] = "stablehlo.all_to_all"(%[[MINE]]) <{channel_handle = {{.*}}, concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}>
// CHECK: stablehlo.reduce(%[[PARTS]] init: %{{.*}}) applies stablehlo.xor across dimensions = [0] : (tensor<2x3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
func.func @main(%a: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %c: tensor<3x8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
                %b: tensor<6x8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<3x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ones = stablehlo.constant dense<-1> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.xor across dimensions = [1] : (tensor<6x8xi32>, tensor<i32>) -> tensor<6xi32>
  %1 = stablehlo.reduce(%a init: %ones) applies stablehlo.and across dimensions = [1] : (tensor<6x8xi32>, tensor<i32>) -> tensor<6xi32>
  %2 = stablehlo.reduce(%b init: %false) applies stablehlo.xor across dimensions = [1] : (tensor<6x8xi1>, tensor<i1>) -> tensor<6xi1>
  %3 = stablehlo.reduce(%b init: %false) applies stablehlo.or across dimensions = [1] : (tensor<6x8xi1>, tensor<i1>) -> tensor<6xi1>
  %4 = stablehlo.reduce(%c init: %zero) applies stablehlo.xor across dimensions = [2] : (tensor<3x8x8xi32>, tensor<i32>) -> tensor<3x8xi32>
  return %0, %1, %2, %3, %4 : tensor<6xi32>, tensor<6xi32>, tensor<6xi1>, tensor<6xi1>, tensor<3x8xi32>
}
