"""seconds.py REPORT SAME SLOWER: compares the steps of three reports in JSON."""

import json
import sys

report, same, slower = (
    json.load(open(path, encoding="utf-8"))["step"]["overlapped_seconds"] for path in sys.argv[1:]
)
print("the report is of the fastest:", report == same)
print("faster than by bytes:", report < slower)
