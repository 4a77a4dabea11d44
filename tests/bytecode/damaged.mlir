// What is wrong with a file of bytecode is said with the byte where it is.

// RUN: head -c 300 %S/Inputs/sample.v6.bc > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error[E0113]: at byte {{[0-9]+}}: the bytecode ends too soon here

// RUN: head -c 24 %S/Inputs/sample.v6.bc > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=CUT

// RUN: head -c 3 %S/Inputs/sample.v6.bc > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=CUT

// An operation that a newer StableHLO has.
// RUN: env LC_ALL=C sed s/gather_v2/gather_v9/ %S/Inputs/sample.1.16.0.bc > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error[E0114]: at byte {{[0-9]+}}: there is no vhlo.gather_v9 in StableHLO

// Bytecode of a version to come.
// RUN: printf 'ML\357R\017x\000' > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error[E0114]: at byte 4: this is bytecode of version 7; versions 0 to 6 are read

// An operation that nobody knows.
// RUN: env LC_ALL=C sed s/subtract/subtrakt/ %S/Inputs/sample.v6.bc > %t
// RUN: ! tess opt %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error[E0103]: at byte {{[0-9]+}}: unknown op stablehlo.subtrakt

// Regions within each other that each say there are 50: the file has not so many bytes.
// RUN: ! tess opt %S/Inputs/counts.bc 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: error[E0113]: at byte {{[0-9]+}}: 50 items are more than there is room for

// A list of twice a list of twice a list ..., 40 deep.
// RUN: ! tess opt %S/Inputs/parts.bc 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: error[E0101]: at byte {{[0-9]+}}: an attribute or type has more than {{[0-9]+}} parts

// A location is looked at when it is printed, and what is wrong with it then is as wrong as the rest.
// RUN: tess opt %S/Inputs/location.bc
// RUN: ! tess opt --mlir-print-debuginfo %S/Inputs/location.bc 2>&1 | FileCheck %s --check-prefix=LOCATION
// LOCATION: error[E0113]: at byte {{[0-9]+}}: the text of an attribute or type does not end
