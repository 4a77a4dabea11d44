// RUN: tess opt %S/Inputs/before_1.20.bc | FileCheck %s
// Plain bytecode does not say of which StableHLO it is: jaxlib 0.11.1 has not has_dynamic_root yet.
// CHECK: "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}>
