"""seconds.py REPORT SAME BYTES: compares the steps of three reports in JSON, the last one of a partition by bytes."""

import json
import sys

report, same, by_bytes = (
    json.load(open(path, encoding="utf-8"))["step"]["overlapped_seconds"] for path in sys.argv[1:]
)
print("the report is of the fastest:", report == same)
print("faster than by bytes:", report < by_bytes)
print("slower than by bytes:", report > by_bytes)
