// RUN: tess report --json --target cpu %s | FileCheck %s

// Both sums over devices are one all-reduce with two operands: the products lie in the memory of the results
// until they have been added up, so that of both sums none can: 524,288 bytes, as XLA says.
// CHECK: "temporaries": 524288,
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.subtract %a, %0 : tensor<256x256xf32>
  %2 = stablehlo.tanh %x : tensor<1024x256xf32>
  %3 = stablehlo.dot_general %2, %x, contracting_dims = [0] x [0] : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<256x256xf32>
  %4 = stablehlo.subtract %b, %3 : tensor<256x256xf32>
  return %1, %4 : tensor<256x256xf32>, tensor<256x256xf32>
}
