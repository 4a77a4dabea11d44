// A file whose thousands of arguments are all of one shape with thousands of dimensions would become a
// text of hundreds of megabytes.
// RUN: %python -c "import sys; sys.path.insert(0, '%S/../fuzz'); import exports as x; f = x.table_of(open('%S/Inputs/no_elements.bc', 'rb').read(), True); f[19] = [{1: ['8'] * 3000, 2: bytes([10])}]; f[22] = x.vector([0] * 3000, 'I'); b = x.Builder(); b.refer(0, f); b.align(4); open('%t', 'wb').write(bytes(b.data))"
// RUN: (tess run %t; echo status $?) 2>&1 | FileCheck %s
// CHECK: error[E0113]: at byte {{[0-9]+}}: shapes or shardings of so many dimensions are referred to too often
// CHECK: status 1
