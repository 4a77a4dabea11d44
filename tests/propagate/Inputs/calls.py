"""Functions of which each calls the next, so many levels deep, and so often: twice, or as said."""

import sys

levels = int(sys.argv[1])
times = int(sys.argv[2]) if len(sys.argv) > 2 else 2
composite = '"stablehlo.composite"() {name = "a.b", decomposition = @%s} : () -> ()'
call = composite if "composite" in sys.argv else "call @%s() : () -> ()"
if "main" in sys.argv:
    print(f"func.func @main() {{\n  {call % 'f0'}\n  return\n}}")
for i in range(levels):
    print(f"func.func @f{i}() {{")
    for _ in range(times):
        print("  " + call % f"f{i + 1}")
    print("  return\n}")
print(f"func.func @f{levels}() {{\n  %0 = stablehlo.after_all : !stablehlo.token\n  return\n}}")
