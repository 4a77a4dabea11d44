// What a terminal obeys is not sent to it; and the mark stands below its character.
// RUN: (! printf 'ML\357R\015StableHLO_v1.0' | tess opt - 2>&1) | FileCheck %s --check-prefix=BYTECODE
// RUN: (! printf 'module {\n "\303\274" \033[2J\n}' | tess opt - 2>&1) | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=SHOWN
// BYTECODE: <stdin>: error[E0113]: at byte 5: the bytecode ends too soon here
//      SHOWN:<stdin>:2:7: error[E0100]: this character does not belong here
// SHOWN-NEXT: "ü" ?[2J
// SHOWN-NEXT:     ^
