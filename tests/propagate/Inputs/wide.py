"""A function of so many arguments, each of which feeds one operation, beside one that is sharded."""

import sys

n, t = int(sys.argv[1]), "tensor<8xf32>"
types = ", ".join([t] * n)
print('sdy.mesh @mesh = <["x"=2]>')
print(
    "func.func @main("
    + ", ".join(f"%a{i}: {t}" for i in range(n))
    + f', %s: {t} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) -> ({types}) {{'
)
for i in range(n):
    print(f"  %r{i} = stablehlo.add %a{i}, %s : {t}")
print("  return " + ", ".join(f"%r{i}" for i in range(n)) + f" : {types}\n}}")
