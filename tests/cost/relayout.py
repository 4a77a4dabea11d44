"""relayout.py REPORT: how much longer the other collectives take than the first."""

import json
import sys

first, *others = [c["seconds"] for c in json.load(open(sys.argv[1], encoding="utf-8"))["collectives"]]
print(", ".join(f"{(seconds - first) * 1e6:.2f} us" for seconds in others))
