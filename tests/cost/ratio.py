"""ratio.py REPORT OTHER: how many times as long the other report's step takes."""

import json
import sys

one, other = (json.load(open(path, encoding="utf-8"))["step"] for path in sys.argv[1:])
for way in ("overlapped", "serial"):
    print(way, "%.4f" % (other[way + "_seconds"] / one[way + "_seconds"]))
