"""Functions of which each calls the next twice, so many levels deep."""

import sys

levels = int(sys.argv[1])
for i in range(levels):
    call = f"  call @f{i + 1}() : () -> ()\n"
    print(f"func.func @f{i}() {{\n{call}{call}  return\n}}")
print(f"func.func @f{levels}() {{\n  %0 = stablehlo.after_all : !stablehlo.token\n  return\n}}")
