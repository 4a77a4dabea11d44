"""Whether a plan takes no more time than others, or than a share of it:
not_slower.py [--share SHARE] PLAN.json OTHER.json..."""

import argparse
import json
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--share", type=float, default=1)
parser.add_argument("paths", nargs="+")
given = parser.parse_args()
plan, *others = ([json.load(open(path, encoding="utf-8")) for path in given.paths])
for path, other in zip(given.paths[1:], others):
    if plan["step_seconds"] > given.share * other["step_seconds"]:
        sys.exit(f"{plan['step_seconds']} s are more than {given.share:g} of the {other['step_seconds']} s of {path}")
