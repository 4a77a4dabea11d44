// What jax.export's serialize() writes, with jaxlib 0.11.1: a function x + 1 on the processor, x * 2 on
// TPUs, exported for both, and one of a symbolic shape, with its derivative.
// RUN: tess opt %S/Inputs/two.jax_export | FileCheck %s --check-prefix=BOTH
// BOTH: func.func public @main(%arg0: tensor<i32> {jax.global_constant = "_platform_index"}, %arg1: tensor<4xf32>)

// A command that runs it takes the processor, or the platform that is named; TPUs come first here.
// RUN: tess shard %S/Inputs/two.jax_export | FileCheck %s --check-prefix=CPU
// CPU: func.func public @main(%arg0: tensor<4xf32>)
// CPU-NEXT: sdy.constant dense<1> : tensor<i32>
// RUN: gzip -c %S/Inputs/two.jax_export | tess shard - --platform tpu | FileCheck %s --check-prefix=TPU
// TPU: func.func public @main(%arg0: tensor<4xf32>)
// TPU-NEXT: sdy.constant dense<0> : tensor<i32>
// RUN: (! tess shard %S/Inputs/two.jax_export --platform gpu 2>&1) | FileCheck %s --check-prefix=GPU
// GPU: error[E0004]: the program was exported for tpu, cpu, not for gpu

// RUN: tess opt %S/Inputs/shape.jax_export | FileCheck %s --check-prefix=SHAPE
// SHAPE: func.func public @main(%arg0: tensor<?x3xf32>)
// SHAPE: stablehlo.custom_call @shape_assertion

// It becomes any other form.
// RUN: tess convert %S/Inputs/shape.jax_export -o %t.bc && tess opt %t.bc > %t
// RUN: tess opt %S/Inputs/shape.jax_export | diff - %t

// One that was cut short is no program, and says at which byte of the file it ends.
// RUN: head -c 900 %S/Inputs/two.jax_export > %t
// RUN: (! tess opt %t 2>&1) | FileCheck %s --check-prefix=CUT
// CUT: error[E0113]: at byte {{[0-9]+}}: this is not what jax.export writes, or it was cut short: it leads out of the file here
