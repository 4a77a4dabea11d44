"""Prints a program that is a chain of N additions."""

import sys

n = int(sys.argv[1])
print("func.func @main(%0: tensor<8xf32>) -> tensor<8xf32> {")
for i in range(n):
    print(f"  %{i + 1} = stablehlo.add %{i}, %{i} : tensor<8xf32>")
print(f"  return %{n} : tensor<8xf32>\n}}")
