"""Prints a program whose product is inside N conditionals:  nested.py N"""

import sys

n = int(sys.argv[1])
t = "tensor<64x64xf32>"
other = f"}}, {{ stablehlo.return %x : {t} }}) : (tensor<i1>) -> {t}"
print(f"func.func @main(%p: tensor<i1>, %x: {t}) -> {t} {{")
for i in range(n):
    print(f'%r{i} = "stablehlo.if"(%p) ({{')
print(f"%d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}")
print(f"stablehlo.return %d : {t}")
for i in range(n - 1, 0, -1):
    print(f"{other}\nstablehlo.return %r{i} : {t}")
print(f"{other}\nreturn %r0 : {t}\n}}")
