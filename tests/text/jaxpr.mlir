// What print() shows of a jaxpr is not read; the error says what is.
// RUN: echo ' { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }' >%t.txt
// RUN: (! tess shard %t.txt 2>&1) | FileCheck %s
// RUN: (! tess report %t.txt 2>&1) | FileCheck %s
// CHECK: .txt:1:2: error[E0100]: this is a jaxpr, not a program: use what jax.jit(f).lower(x).as_text() returns
