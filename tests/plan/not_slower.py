"""Whether a plan takes no more time than others: not_slower.py PLAN.json OTHER.json..."""

import json
import sys

plan, *others = ([json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]])
for path, other in zip(sys.argv[2:], others):
    if plan["step_seconds"] > other["step_seconds"]:
        sys.exit(f"{plan['step_seconds']} s are more than the {other['step_seconds']} s of {path}")
