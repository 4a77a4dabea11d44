// Protos are programs as text is, whatever file they are in: what jaxlib writes
// (as_serialized_hlo_module_proto()) reads as what jaxlib prints of it.
// RUN: tess hlo --large-constants %S/Inputs/loops.pb > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/loops.hlo | diff - %t.proto
// RUN: tess hlo --large-constants %S/Inputs/collectives.pb > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/collectives.hlo | diff - %t.proto
// RUN: tess hlo --large-constants %S/Inputs/torch.pb > %t.proto
// RUN: tess hlo --large-constants %S/Inputs/torch.hlo | diff - %t.proto

// RUN: gzip -c %S/Inputs/torch.pb | tess hlo --large-constants - | diff - %t.proto
// RUN: tess convert %S/Inputs/torch.pb > %t.mlir
// RUN: tess convert %S/Inputs/torch.hlo | diff - %t.mlir
// RUN: tess shard %S/Inputs/torch.pb | FileCheck %s --check-prefix=SHARD
// SHARD: func.func @main

// Where values were, an index that is 0 and there, and texts that are in braces only at both ends.
// RUN: tess hlo %S/Inputs/origin.pb > %t.proto
// RUN: diff %S/Inputs/origin.hlo %t.proto
// RUN: tess convert %S/Inputs/origin.pb --to proto | tess hlo - | diff %t.proto -
// RUN: tess convert %S/Inputs/origin.hlo --to proto | tess hlo - | diff %t.proto -
// An unfinished one.
// RUN: (sed 's/({}, {"c"/({}, {c/' %S/Inputs/origin.hlo | tess convert - --to proto; echo status $?) 2>&1 | FileCheck %s --check-prefix=ORIGIN
// ORIGIN: error[E{{[0-9]+}}]
// ORIGIN: status 1

// Damage is told by the byte where it is.
// RUN: (head -c 100 %S/Inputs/torch.pb | tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error[E0853]: <stdin>: byte {{[0-9]+}}: a field is longer than the message that it is in
// CUT: status 1
// RUN: (printf '\n\003abc\032\014\n\001c\022\007\n\001i\022\002no' | tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=OPCODE
// OPCODE: error[E0853]: <stdin>: byte 12: there is no opcode "no"
// RUN: (printf '\n\003abc\013' | tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error[E0853]: <stdin>: byte 5: a field of a type that protocol buffers do not have
// RUN: (printf '\n\001m\032\021\n\001i\022\014\n\001d\022\003dot\032\002\020\013' | tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=DOT
// DOT: error[E0853]: <stdin>: byte 12: a dot without dot_dimension_numbers

// Numbers that count from 1 are 1 where a proto has 0, and a version that it lacks is unspecified.
// RUN: printf '\012\001m\022\004main\032^\012\004main\022\037\012\001p\022\011parameter\032\012\020\013\032\001\004*\003\012\001\000\230\002\001H\000\0221\012\001c\022\013custom-call\032\012\020\013\032\001\004*\003\012\001\000\230\002\002\242\002\001\001\342\001\005thing\220\003\000\320\003\000(\0010\002"\033\012\012\020\013\032\001\004*\003\012\001\000\022\012\020\013\032\001\004*\003\012\001\000\032\001p(\0010\001' | tess hlo - | FileCheck %s --check-prefix=ZERO
// ZERO: custom-call(%p), custom_call_target="thing", api_version=API_VERSION_UNSPECIFIED{{$}}

// Ids are not negative.
// RUN: (printf '\n\001m\032\037\n\001c\022\032\n\001i\022\tparameter\230\002\377\377\377\377\377\377\377\377\377\001' | tess hlo -; echo status $?) 2>&1 | FileCheck %s --check-prefix=ID
// ID: error[E0853]: <stdin>: byte {{[0-9]+}}: the id -1 is negative
