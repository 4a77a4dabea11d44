// The types of values inside are written as JAX prints them, since they are found by that.
//
// RUN: sed 's/T8/i8/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'context over x; fsdp over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=I8
// I8: ("dot_general", "i8[8192,8192]", 1): P("y", "x")
// RUN: sed 's/T8/ui8/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'context over x; fsdp over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=U8
// U8: ("dot_general", "u8[8192,8192]", 1): P("y", "x")
// RUN: sed 's/T8/i1/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'context over x; fsdp over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=BOOL
// BOOL: ("dot_general", "bool[8192,8192]", 1): P("y", "x")
// RUN: sed 's/T8/bf16/g; s/8192/4096/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=BF16
// BF16: ("dot_general", "bf16[4096,4096]", 1): P("x", "y")
// RUN: sed 's/T8/f8E4M3FN/g; s/8192/4096/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'fsdp over x; megatron over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=F8
// F8: ("dot_general", "f8_e4m3fn[4096,4096]", 1): P("x", "y")
// RUN: sed 's/T8/complex<f32>/g' %s > %t.mlir
// RUN: tess plan %t.mlir --mesh x=2,y=4 --devices 8 --tactic 'context over x; fsdp over y' --emit jax \
// RUN:   | FileCheck %s --check-prefix=C64
// C64: ("dot_general", "c64[8192,8192]", 1): P("y", "x")

func.func @main(%w: tensor<8192x8192xT8>, %x: tensor<8192x8192xT8>) -> tensor<8192x8192xT8> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8192x8192xT8>, tensor<8192x8192xT8>) -> tensor<8192x8192xT8> loc("jit(f)/dot_general")
  %1 = stablehlo.add %0, %0 : tensor<8192x8192xT8>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<8192x8192xT8>, tensor<8192x8192xT8>) -> tensor<8192x8192xT8> loc("jit(f)/dot_general")
  return %2 : tensor<8192x8192xT8>
}
