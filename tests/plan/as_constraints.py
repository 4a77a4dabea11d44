"""Replaces the shardings that operations give their result by constraints behind them."""
import re
import sys

ANNOTATED = re.compile(
    r"(\s*)%(\S+) = (\S+ .*?) \{sdy\.sharding = #sdy\.sharding_per_value<\[(<@.*>)\]>\} : (.*)")

for line in sys.stdin:
    annotated = ANNOTATED.match(line)
    if not annotated:
        print(line, end="")
        continue
    space, name, operation, sharding, types = annotated.groups()
    print(f"{space}%bare_{name} = {operation} : {types}")
    print(f"{space}%{name} = sdy.sharding_constraint %bare_{name} {sharding} : {types.split(' -> ')[-1]}")
